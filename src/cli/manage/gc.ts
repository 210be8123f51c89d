import type { GcAnswer, GcItem } from '../../desk/gc/gc.ts'
import { TerminalError } from '../../ports/errors.ts'
import { durationText } from '../../std/duration.ts'
import { bold, dim, type ShownLine, table, titled } from '../show/line.ts'
import { verb } from '../verb.ts'

const words = {
  says: 'show what takes up space on this machine, and free what is unused',
  options: {
    '--yes': 'free it; workspaces are archived first',
    '--dry-run': 'only show it, even with --yes',
    '--older-than <age>': 'only what has been unused for this long, such as 7d',
    '--all': 'also caches and workspaces, however fresh',
    '--transcripts': 'also what agents said',
    '--sessions': "also the agents' own homes, once no delivery is open",
    '--archives': 'also archived work, of which there is no other copy',
  },
}

/** Shows what takes room on this machine; frees what nobody uses when told to. */
export const gcVerb = verb(words, async ({ desk, screen }, _, options) => {
  const { all, transcripts, sessions, archives, yes, dryRun, olderThan } = options
  const olderThanMs = olderThan === undefined ? null : ageOf(olderThan)
  const answer = await desk.gc({ all, transcripts, sessions, archives, free: yes && !dryRun, olderThanMs })
  const { freed, waste, kept } = answer
  screen.show({ freed, waste, kept }, () => gcLines(answer))
})

const dayMs = 24 * 3_600_000

function ageOf(text: string): number {
  const [, number, unit] = /^(\d+)([mhdw])$/.exec(text) ?? []
  if (number === undefined)
    throw new TerminalError(`--older-than ${text} is not an age`, 'give a number and m, h, d or w, such as 7d')
  const units: Record<string, number> = { m: 60_000, h: 3_600_000, d: dayMs, w: 7 * dayMs }
  return Number(number) * units[unit!]!
}

function gcLines({ waste, kept, freed }: GcAnswer): ShownLine[] {
  const size = sizeText(bytesOf(waste))
  return [
    ...(kept.length === 0 ? [] : ['Kept:', ...table(rows(kept)), '']),
    ...titled(freed ? 'Freed:' : 'Can be freed:', table(rows(waste))),
    waste.length === 0
      ? 'There is nothing to free.'
      : freed
        ? `${size} freed. Workspaces were archived first.`
        : `${size} would be freed. Free it with --yes.`,
  ]
}

const bytesOf = (found: GcItem[]): number => found.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)

function rows(found: GcItem[]) {
  const name = ({ delivery, kind, kept, past }: GcItem): string =>
    JSON.stringify([delivery ?? 'all deliveries', kind, kept ?? past ?? ''])
  return [...new Set(found.map(name))].map((key) => {
    const same = found.filter((one) => name(one) === key)
    const [delivery = '', kind = '', why = ''] = JSON.parse(key) as string[]
    const age = durationText(Date.now() - Math.max(...same.map(({ at }) => at)))
    const size = ['archives', 'branches', 'services'].includes(kind) ? '' : sizeText(bytesOf(same))
    return [bold(delivery), kind, `${same.length}`, size, dim(`${age} ago`), dim(why)]
  })
}

function sizeText(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`
}
