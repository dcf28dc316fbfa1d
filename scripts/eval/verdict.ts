export const CRITERIA = ['true', 'complete', 'clear', 'worth', 'overall'] as const
export type Criterion = (typeof CRITERIA)[number]
export type Choice = 'A' | 'B' | 'tie'
export type Verdict = Record<Criterion, Choice> & {
  falseClaims: { article: 'A' | 'B'; claim: string; contradiction: string }[]
  explanation: string
}
