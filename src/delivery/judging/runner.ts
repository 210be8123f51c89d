/** Who printed a check's output; `exit-code` when nobody we know did. */
export const runners = [
  'node:test',
  'tap',
  'junit',
  'vitest',
  'jest',
  'mocha',
  'pytest',
  'unittest',
  'go',
  'cargo',
  'exit-code',
] as const
export type Runner = (typeof runners)[number]
/** Who is to read a check's output: `auto` finds it out, `exit-code` reads nothing. */
export type ParserName = 'auto' | Runner
