/** What a commit changes, as far as its paths tell. `other`: settings, builds and whatever else is none of these. */
export const commitKinds = ['code with tests', 'tests only', 'code only', 'documentation', 'other'] as const
export type CommitKind = (typeof commitKinds)[number]
