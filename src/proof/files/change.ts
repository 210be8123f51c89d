/** One file of a diff. */
export interface Change {
  path: string
  oldPath: string | null
  status: 'added' | 'modified' | 'deleted' | 'renamed' | 'type-changed'
  binary: boolean
  oldMode: string | null
  newMode: string | null
  /** Contents; null for absent sides, very large files, and of a binary change for all but a short text. */
  before: string | null
  after: string | null
}

/** The path it had on the base. */
export const pathBefore = (change: Change): string => change.oldPath ?? change.path

export const pathsOf = (change: Change): string[] =>
  change.oldPath === null ? [change.path] : [change.oldPath, change.path]

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** Test data is not ours to judge: it may hold whatever the tests are about. */
export const isFixture = (path: string): boolean => /(?:^|\/)(?:fixtures?|__fixtures__|testdata|test-data)\//.test(path)

/** Joined and without `.` and `..`; a path that leads out of the tree keeps its `..` and is found nowhere. */
export function join(folder: string, name: string): string {
  const parts: string[] = []
  for (const part of [...folder.split('/'), ...name.split('/')]) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

export interface AddedLine {
  line: number
  text: string
}

/** Lines of the result that the base did not have, wherever they stood there. */
export function addedLines({ before, after }: Change): AddedLine[] {
  if (after === null) return []
  const known = new Map<string, number>()
  for (const line of before?.split('\n') ?? []) known.set(line, (known.get(line) ?? 0) + 1)
  return after.split('\n').flatMap((text, index) => {
    const left = known.get(text) ?? 0
    if (left > 0) known.set(text, left - 1)
    return left > 0 || text.trim() === '' ? [] : [{ line: index + 1, text }]
  })
}
