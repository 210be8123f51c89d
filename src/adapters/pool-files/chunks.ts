/** What fits on a command line, also with the longest names; the rest goes to further ones. */
export function chunks(names: string[]): string[][] {
  const all: string[][] = []
  let room = 0
  for (const name of names) {
    const bytes = Buffer.byteLength(name) + 1
    if (bytes > room || all.length === 0) {
      all.push([])
      room = longestBytes
    }
    all.at(-1)!.push(name)
    room -= bytes
  }
  return all
}

/** Systems take no less, besides the environment. */
const longestBytes = 96_000
