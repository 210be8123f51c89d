/** Text without colours and cursor moves, with paths relative to the place it was printed in. */
export function plain(text: string, root: string): string {
  const bare = withoutEscapes(text).replaceAll('\r\n', '\n')
  if (root.length < 2) return bare
  return [`file://${encodeURI(root)}/`, `file://${root}/`, `${root}/`].reduce((all, at) => all.replaceAll(at, ''), bare)
}

export const withoutEscapes = (text: string): string => text.replace(escapes, '')

// Colours and cursor moves, character sets, titles of windows.
const escapes = /\x1b(?:\[[0-9;?]*[@-~]|[()][0-9A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\))/g
