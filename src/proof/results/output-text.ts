/** `test/a.test.mjs:4:33` in a location or in the first frame of a stack that is the project's own. */
export function placeIn(text: string): { file: string | null; line: number | null } {
  for (const line of text.split('\n', 200)) {
    const found = /(?:file:\/\/)?((?:[A-Za-z]:)?[^\s()'":]+\.\w{1,5}):(\d+)(?::\d+)?/.exec(line.slice(0, 500))
    if (found && !foreign.test(found[1]!) && !line.includes('node:')) return { file: found[1]!, line: Number(found[2]) }
  }
  return { file: null, line: null }
}

const foreign = /node_modules|^node:|^internal\/|site-packages|\/lib\/python[\d.]+\/|^\/rustc\/|\/go[\d.-]*\/src\//

/** A runner reports a file in which it found no test as one passed test that is named like the file. */
export const isFileName = (test: string): boolean => /^\S+\.[cm]?[jt]sx?$/.test(test)

/** A path of code, in whatever language. */
export const isSourceFile = (text: string): boolean => /^\S+\.(?:[cm]?[jt]sx?|py|go|rs|rb|php|java|kt|cs)$/.test(text)

/** Text without colours and cursor moves, with paths relative to the place it was printed in. */
export function plain(text: string, root: string): string {
  const bare = withoutEscapes(text).replaceAll('\r\n', '\n')
  if (root.length < 2) return bare
  return [`file://${encodeURI(root)}/`, `file://${root}/`, `${root}/`].reduce((all, at) => all.replaceAll(at, ''), bare)
}

export const withoutEscapes = (text: string): string => text.replace(escapes, '')

// Colours and cursor moves, character sets, titles of windows.
const escapes = /\x1b(?:\[[0-9;?]*[@-~]|[()][0-9A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\))/g
