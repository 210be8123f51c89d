import type { Change } from '../files/change.ts'

/** What others can use of a file, by the customs of its language. */
const customs: { file: RegExp; symbol: RegExp }[] = [
  {
    file: /\.[cm]?[jt]sx?$/,
    symbol: /^export\s+(?:default\s+)?(?:async\s+)?(?:abstract\s+)?(?:function\*?|class|const|let|enum)\s+(\w+)/,
  },
  { file: /\.[cm]?js$/, symbol: /^(?:module\.)?exports\.(\w+)\s*=/ },
  { file: /\.py$/, symbol: /^(?:async\s+)?(?:def|class)\s+([A-Za-z]\w*)/ },
  { file: /\.go$/, symbol: /^func\s+(?:\([^)]*\)\s*)?([A-Z]\w*)/ },
  { file: /\.rs$/, symbol: /^\s*pub\s+(?:async\s+)?(?:const\s+)?(?:unsafe\s+)?(?:fn|struct|enum|trait)\s+(\w+)/ },
]

/** Public symbols that were there before. */
export const touchesPublic = (change: Change): boolean => {
  const after = new Set((change.after ?? '').split('\n'))
  const patterns = customs.filter(({ file }) => file.test(change.path)).map(({ symbol }) => symbol)
  const lost = (change.before ?? '').split('\n').filter((line) => !after.has(line))
  return lost.some((line) => patterns.some((one) => one.test(line)))
}
