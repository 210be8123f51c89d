/** Files that a requirement points to, and that are there. */
export function linksIn(text: string, files: readonly string[]): string[] {
  const given = text.slice(0, 200_000)
  const there = new Set(files)
  const byName = new Map<string, string[]>()
  for (const file of files) {
    const name = file.slice(file.lastIndexOf('/') + 1)
    byName.set(name, [...(byName.get(name) ?? []), file])
  }
  const mentioned = [...given.replaceAll(/\bhttps?:\/\/\S+/g, ' ').matchAll(/[\p{L}\d@_.][\p{L}\d@_./-]*/gu)].map(
    ([found]) => found.replace(/^\.\//, '').replace(/[.,;:]+$/, ''),
  )
  // A name without its folder is meant only where there is one such file.
  const paths = mentioned.flatMap((path) => {
    if (there.has(path)) return [path]
    const named = path.includes('.') && !path.includes('/') ? (byName.get(path) ?? []) : []
    return named.length === 1 ? named : []
  })
  return [...new Set(paths)]
}
