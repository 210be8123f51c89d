/** What a judge's word on a tree is: a proof where it is that of a command that we run ourselves on all of it. */
export const judgeKinds = {
  inspection: 'opinion',
  related: 'opinion',
  check: 'proof',
  guard: 'proof',
  sensitivity: 'opinion',
  witness: 'opinion',
  red: 'opinion',
  criteria: 'opinion',
  acceptance: 'proof',
  verifier: 'opinion',
} as const
export type JudgeKind = keyof typeof judgeKinds

/** `check:test` is a check; null: nobody is called so. */
export function judgeKindOf(judge: string): JudgeKind | null {
  const [kind = ''] = judge.split(':')
  return Object.hasOwn(judgeKinds, kind) ? (kind as JudgeKind) : null
}
