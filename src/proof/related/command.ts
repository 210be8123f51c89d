const longestLine = 100_000

/** The command with the files in the place of `{files}`; null when the line would be too long for a shell. */
export function commandFor(related: string, files: readonly string[]): string | null {
  const line = related.replaceAll('{files}', () => files.map(quoted).join(' '))
  return Buffer.byteLength(line) > longestLine ? null : line
}

/** Whatever is in the name, one word for a POSIX shell, and never an option. */
function quoted(path: string): string {
  const name = path.startsWith('-') ? `./${path}` : path
  return /^[\w./@%+=:,-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`
}
