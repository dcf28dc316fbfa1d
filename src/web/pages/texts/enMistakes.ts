import type { jaMistakes } from './jaMistakes.ts'

export const enMistakes: typeof jaMistakes = {
  report: 'Report a mistake',
  signIn: 'Sign in to report a mistake in this article. The form opens as soon as you are signed in.',
  help: 'Tell us if something in this article is wrong. Only the operator of this service reads your report.',
  description: 'What is wrong',
  descriptionHelp: 'What the article says, what is right, and how you know.',
  quote: 'The passage that is wrong (optional)',
  quoteHelp: 'Paste it from the article.',
  send: 'Send report',
  invalid: (most, mostQuoted) =>
    `Describe the mistake in at most ${most} characters. The passage can have at most ${mostQuoted}.`,
  tooMany: 'You have sent as many reports as a user can in a day. Try again after midnight (UTC).',
  thanks: 'Thank you for your report',
  sent: 'The operator has received it. There is no individual reply.',
}
