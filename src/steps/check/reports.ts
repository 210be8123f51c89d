import { lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fullyMatches } from '../../std/glob.ts'
import { readText } from '../place/text.ts'

export interface Report {
  path: string
  /** Null: it is there, and was not read. */
  text: string | null
}

const mostEntries = 200_000
const mostReports = 5_000
const longestReports = 40_000_000

/**
 * The machine-readable reports of one run: what it writes to `$ROPEWALK_REPORT`, and the files that its glob names.
 * A file that was there before and is still the same was not made by this run.
 */
export async function openReports({ folder, place, glob }: { folder: string; place: string; glob: string | null }) {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const before = glob === null ? new Map<string, string>() : await matching(place, glob)
  return {
    environment: { ROPEWALK_REPORT: join(folder, 'report') },
    async read(redact: (text: string) => string): Promise<Report[]> {
      // Whoever runs in the check may also have taken it away.
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
      const own = entries
        .filter((entry) => entry.isFile())
        .map(({ name }) => ({ path: `$ROPEWALK_REPORT/${name}`, file: join(folder, name) }))
      const after = glob === null ? new Map<string, string>() : await matching(place, glob)
      const fresh = [...after].filter(([path, state]) => before.get(path) !== state).map(([path]) => path)
      const found = [...own, ...fresh.sort().map((path) => ({ path, file: join(place, path) }))]
      const reports = await readAll(found)
      await rm(folder, { recursive: true, force: true })
      return reports.map(({ path, text }) => ({ path, text: text === null ? null : redact(text) }))
    },
  }
}

/** One that is left out may be the one that tells of a failure, so it is told that there is one. */
async function readAll(files: { path: string; file: string }[]): Promise<Report[]> {
  const reports: Report[] = []
  let length = 0
  for (const { path, file } of files.slice(0, mostReports + 1)) {
    const text = reports.length < mostReports ? await readText(file, longestReports - length) : null
    length += text?.length ?? 0
    reports.push({ path: path === '$ROPEWALK_REPORT/report' ? '$ROPEWALK_REPORT' : path, text })
  }
  return reports
}

/** Files of a place that the glob names, with what tells one state of a file from another. */
async function matching(place: string, glob: string): Promise<Map<string, string>> {
  const pattern = glob.replace(/^\.\//, '')
  const fixed = pattern.split('/').slice(0, -1)
  const wild = fixed.findIndex((part) => /[*?]/.test(part))
  const found = new Map<string, string>()
  const open = [(wild === -1 ? fixed : fixed.slice(0, wild)).join('/')]
  for (let seen = 0; open.length > 0 && seen < mostEntries; ) {
    const folder = open.pop()!
    const entries = await readdir(join(place, folder), { withFileTypes: true }).catch(() => [])
    seen += entries.length
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory() && mayHold(pattern, entry.name, wild)) open.push(path)
      else if (entry.isFile() && fullyMatches(pattern, path)) found.set(path, await stateOf(join(place, path)))
    }
  }
  return found
}

const mayHold = (pattern: string, name: string, wild: number): boolean =>
  wild !== -1 && name !== '.git' && (name !== 'node_modules' || pattern.includes('node_modules'))

async function stateOf(file: string): Promise<string> {
  const { ino, size, mtimeMs, ctimeMs } = await lstat(file)
  return [ino, size, mtimeMs, ctimeMs].join(' ')
}
