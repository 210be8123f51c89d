import { lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Elsewhere } from '../../ports/shell.ts'
import { isTelling } from '../../proof/results/judge-output.ts'
import { fullyMatches } from '../../std/glob.ts'
import { readText } from '../place/text.ts'

const headLength = 1_000_000
const tailLength = 4_000_000
const toldLength = 2_000_000

/** Keeps the beginning and the end of a long output, and of what is between them the lines that tell of tests. */
export function openCheckOutput() {
  let head = ''
  let told = ''
  let kept: string[] = []
  let keptLength = 0
  let dropped = false
  return {
    add(line: string): void {
      if (!dropped && keptLength === 0 && head.length < headLength) {
        head += `${line}\n`
        return
      }
      kept.push(line)
      keptLength += line.length + 1
      // Halved only when twice too long, so that a line costs the same however many there are.
      if (keptLength > 2 * tailLength) shorten()
    },
    text: (): string => head + told + kept.map((line) => `${line}\n`).join(''),
    truncated: (): boolean => dropped,
  }

  function shorten(): void {
    let from = 0
    while (keptLength > tailLength) {
      const line = kept[from++]!
      keptLength -= line.length + 1
      if (told.length < toldLength && isTelling(line)) told += `${line}\n`
    }
    kept = kept.slice(from)
    dropped = true
  }
}

export interface ReportFile {
  path: string
  /** Null: it is there, and was not read. */
  text: string | null
  /** Why it was not read, where that is known. */
  problem?: string
}

interface Sought {
  folder: string
  place: string
  glob: string | null
  /** How many files and folders are looked at for the glob's sake. */
  mostEntries: number
}

const mostReports = 5_000
const longestReports = 40_000_000

/**
 * The machine-readable reports of one run: what it writes to `$ROPEWALK_REPORT`, and the files that its glob names.
 * A file that was there before and is still the same was not made by this run.
 */
export async function openReports({ folder, place, glob, mostEntries }: Sought) {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const look = (): Promise<Matches> =>
    glob === null ? Promise.resolve(none) : matching(place, { glob, most: mostEntries })
  const { found: before } = await look()
  return {
    /** Whoever sees its place elsewhere sees its reports elsewhere, too. */
    given(elsewhere: boolean): { env: Record<string, string>; also: Elsewhere[] } {
      const at = elsewhere ? '/tmp/reports' : folder
      return { env: { ROPEWALK_REPORT: join(at, 'report') }, also: [{ from: folder, at, write: true }] }
    },
    async read(redact: (text: string) => string): Promise<ReportFile[]> {
      // Whoever runs in the check may also have taken it away.
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
      const own = entries
        .filter((entry) => entry.isFile())
        .map(({ name }) => ({ path: `$ROPEWALK_REPORT/${name}`, file: join(folder, name) }))
      const { found: after, all } = await look()
      const fresh = [...after].filter(([path, state]) => before.get(path) !== state).map(([path]) => path)
      const found = [...own, ...fresh.sort().map((path) => ({ path, file: join(place, path) }))]
      const reports = await readAll(found)
      await rm(folder, { recursive: true, force: true })
      const read = reports.map(({ path, text }) => ({ path, text: text === null ? null : redact(text) }))
      return all ? read : [...read, { path: glob!, text: null, problem: tooMany(mostEntries) }]
    },
  }
}

const tooMany = (most: number): string =>
  `there are more than ${most} files to look through; let "report" in ropewalk.yaml begin with the folder that the reports are in`

/** One that is left out may be the one that tells of a failure, so it is told that there is one. */
async function readAll(files: { path: string; file: string }[]): Promise<ReportFile[]> {
  const reports: ReportFile[] = []
  let length = 0
  for (const { path, file } of files.slice(0, mostReports + 1)) {
    const text = reports.length < mostReports ? await readText(file, longestReports - length) : null
    length += text?.length ?? 0
    reports.push({ path: path === '$ROPEWALK_REPORT/report' ? '$ROPEWALK_REPORT' : path, text })
  }
  return reports
}

/** Files with what tells one state of a file from another. */
interface Matches {
  found: Map<string, string>
  /** Every folder was looked at. */
  all: boolean
}

const none: Matches = { found: new Map(), all: true }

/** Files of a place that the glob names. */
async function matching(place: string, { glob, most }: { glob: string; most: number }): Promise<Matches> {
  const pattern = glob.replace(/^\.\//, '')
  const fixed = pattern.split('/').slice(0, -1)
  const wild = fixed.findIndex((part) => /[*?]/.test(part))
  const found = new Map<string, string>()
  const open = [(wild === -1 ? fixed : fixed.slice(0, wild)).join('/')]
  for (let seen = 0; open.length > 0 && seen < most; ) {
    const folder = open.pop()!
    const entries = await readdir(join(place, folder), { withFileTypes: true }).catch(() => [])
    seen += entries.length
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory() && mayHold(pattern, entry.name, wild)) open.push(path)
      else if (entry.isFile() && fullyMatches(pattern, path)) found.set(path, await stateOf(join(place, path)))
    }
  }
  return { found, all: open.length === 0 }
}

const mayHold = (pattern: string, name: string, wild: number): boolean =>
  wild !== -1 && name !== '.git' && (name !== 'node_modules' || pattern.includes('node_modules'))

async function stateOf(file: string): Promise<string> {
  const { ino, size, mtimeMs, ctimeMs } = await lstat(file)
  return [ino, size, mtimeMs, ctimeMs].join(' ')
}
