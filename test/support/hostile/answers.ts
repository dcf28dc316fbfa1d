import type { FakeDraft } from '../fakeModel.ts'
import { times } from './files.ts'

type Answer = (good: FakeDraft) => FakeDraft | string

/** A draft of long texts, each of them this one, about as long as an answer may be. */
function withText(text: string): Answer {
  const cut = text.slice(0, 4000)
  return (good) => ({
    ...good,
    ...('backgroundAndPurpose' in good && { backgroundAndPurpose: text.slice(0, 8000) }),
    mainChanges: times(18, () => ({ ...good.mainChanges[0], description: cut })),
    notablePoints: times(8, () => ({ ...good.notablePoints[0], point: cut })),
  })
}

/** Answers of a model made to be slow to check. */
export const hostileAnswers: Record<string, Answer> = {
  'emphasis marks': withText('*a_'.repeat(2700)),
  brackets: withText('['.repeat(8000)),
  'links without end': withText('[a]('.repeat(2000)),
  'rows of backticks': withText(times(120, (i) => '`'.repeat(i)).join('x')),
  lists: withText('- '.repeat(4000)),
  'lines of lists': withText('\n- a'.repeat(2000)),
  quotes: withText('> '.repeat(4000)),
  tags: withText('<a '.repeat(2700)),
  'character references': withText('&#x'.repeat(2700)),
  addresses: withText('http://a.'.repeat(880)),
  mailboxes: withText('a@a.'.repeat(2000)),
  'table rows': withText('|-'.repeat(4000)),
  'headings under headings': withText('a\n=\n'.repeat(1000)),
  'code spans': withText('`a`'.repeat(1300)),
  'one long word': withText('a'.repeat(4000)),
  'what is almost an address': withText('J+'.repeat(2000)),
  'what is almost a table': withText(`${' '.repeat(1300)}-|-${' '.repeat(1300)}x`),
  'an open bracket before words': withText(`[\`]\`${' w'.repeat(1900)}`),
  'nested JSON': () => '['.repeat(400_000),
  'a long string': () => JSON.stringify({ aiGeneratedTitle: 'a'.repeat(1_500_000) }),
  spaces: () => ' '.repeat(1_500_000),
  'a fence that never ends': () => `\`\`\`json\n${'\n'.repeat(200_000)}.`,
  'ten thousand citations': (good) => ({
    ...good,
    mainChanges: good.mainChanges.map((change) => ({
      ...change,
      evidence: times(10_000, (i) => ({ path: `src/${i}.ts`, side: 'new', startLine: 1, endLine: 1_000_000_000 })),
    })),
  }),
  'a range without end': (good) => ({
    ...good,
    mainChanges: good.mainChanges.map((change) => ({
      ...change,
      evidence: [{ path: change['fileName'], side: 'new', startLine: 1, endLine: 9_007_199_254_740_991 }],
    })),
  }),
}
