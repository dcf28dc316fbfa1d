import type { FakeDraft } from '../fakeModel.ts'
import { times } from './files.ts'

type Answer = (good: FakeDraft) => FakeDraft | string

/** A draft that repeats one long text in every field, about as long as allowed. */
function withText(text: string): Answer {
  const cut = text.slice(0, 4000)
  return (good) => ({
    ...good,
    ...(good.lead && { lead: { ...good.lead, text: text.slice(0, 8000) } }),
    ...(good.reasons && { reasons: times(6, () => ({ ...good.reasons?.[0], text: cut })) }),
    mainChanges: times(18, () => ({ ...good.mainChanges[0], description: cut })),
    notablePoints: times(8, () => ({ ...good.notablePoints[0], point: cut })),
  })
}

/** Model responses that are slow to validate. */
export const hostileAnswers: Record<string, Answer> = {
  'emphasis marks': withText('*a_'.repeat(2700)),
  brackets: withText('['.repeat(8000)),
  'unclosed links': withText('[a]('.repeat(2000)),
  'rows of backticks': withText(times(120, (i) => '`'.repeat(i)).join('x')),
  lists: withText('- '.repeat(4000)),
  'lines of lists': withText('\n- a'.repeat(2000)),
  quotes: withText('> '.repeat(4000)),
  tags: withText('<a '.repeat(2700)),
  'character references': withText('&#x'.repeat(2700)),
  URLs: withText('http://a.'.repeat(880)),
  'email addresses': withText('a@a.'.repeat(2000)),
  'table rows': withText('|-'.repeat(4000)),
  'headings under headings': withText('a\n=\n'.repeat(1000)),
  'code spans': withText('`a`'.repeat(1300)),
  'one long word': withText('a'.repeat(4000)),
  'almost an email address': withText('J+'.repeat(2000)),
  'almost a table': withText(`${' '.repeat(1300)}-|-${' '.repeat(1300)}x`),
  'an open bracket before words': withText(`[\`]\`${' w'.repeat(1900)}`),
  'quotes of one letter': (good) => ({
    ...good,
    reasons: times(20, () => ({
      ...good.reasons?.[0],
      sources: times(5, () => ({ kind: 'description', quote: 'a'.repeat(999) })),
    })),
  }),
  'digits of a release': (good) => ({
    ...good,
    ...(good.impact && { impact: { ...good.impact, since: '1'.repeat(120_000) } }),
  }),
  'names of an example': (good) => ({
    ...good,
    mainChanges: good.mainChanges.map((change) => ({
      ...change,
      figures: times(3, () => ({
        ...{ kind: 'example', before: null, after: null, caption: '', table: null },
        example: { language: 'ts', text: '"\\'.repeat(700), note: '' },
      })),
    })),
  }),
  'nested JSON': () => '['.repeat(400_000),
  'a long string': () => JSON.stringify({ aiGeneratedTitle: 'a'.repeat(1_500_000) }),
  spaces: () => ' '.repeat(1_500_000),
  'an unclosed code fence': () => `\`\`\`json\n${'\n'.repeat(200_000)}.`,
  'ten thousand citations': (good) => ({
    ...good,
    mainChanges: good.mainChanges.map((change) => ({
      ...change,
      evidence: times(10_000, (i) => ({ path: `src/${i}.ts`, side: 'new', startLine: 1, endLine: 1_000_000_000 })),
    })),
  }),
  'a huge line range': (good) => ({
    ...good,
    mainChanges: good.mainChanges.map((change) => ({
      ...change,
      evidence: [{ path: change['fileName'], side: 'new', startLine: 1, endLine: 9_007_199_254_740_991 }],
    })),
  }),
}
