import type { Tree } from '../../src/proof/related/tree.ts'

/** For tests: a tree of files with their texts. */
export const treeOf = (texts: Record<string, string>): Tree => ({
  files: new Set(Object.keys(texts)),
  texts: new Map(Object.entries(texts)),
})
