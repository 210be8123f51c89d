import { type GitOutput, itemsOf } from '../run.ts'

/** The objects that hold the notes at a commit of notes, by the commit they are about, however git has spread them. */
export async function noteObjects(
  git: (args: string[]) => Promise<GitOutput>,
  tip: string,
): Promise<Map<string, string>> {
  const entries = itemsOf(await git(['ls-tree', '-r', '-z', '--full-tree', tip]))
  return new Map(
    entries.flatMap((entry) => {
      const match = /^100\d{3} blob ([0-9a-f]+)\t([0-9a-f/]+)$/.exec(entry)
      return match === null ? [] : [[match[2]!.replaceAll('/', ''), match[1]!] as const]
    }),
  )
}
