/**
 * What a commit changes, as far as its paths tell. What touches continuous integration is of that kind whatever else it
 * changes, since a story must declare it. `other`: settings, builds and whatever else is none of these.
 */
export const commitKinds = [
  'code with tests',
  'tests only',
  'code only',
  'documentation',
  'continuous integration',
  'other',
] as const
export type CommitKind = (typeof commitKinds)[number]
