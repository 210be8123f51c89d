// What runs on this machine, from /proc or, where there is none, from ps.
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'

export interface Process {
  pid: number
  parent: number
  /** The session; where ps is all we have, the process group. */
  session: number
  /** Together with the pid, the identity: a pid is used again, never with the same start. */
  start: number
  /** A zombie is not: it only waits for its parent to take note. */
  alive: boolean
  /** Of the processor, its own and that of its children that have ended; where ps is all we have, always 0. */
  workedMs: number
}

export interface Processes {
  /** `complete` is false when some vanished while we looked: what they forked may be missing. */
  list(): { processes: Process[]; complete: boolean }
  /** Null when there is none, or a zombie. */
  find(pid: number): Process | null
  /** The variable it was started with; null: it has none; `unsure`: it is ending, or just becoming another program. */
  variable(pid: number, name: string): { value: string } | 'unsure' | null
}

export function machineProcesses(): Processes {
  return existsSync('/proc/self/environ') ? procProcesses : psProcesses
}

const procProcesses: Processes = {
  list() {
    const pids = readdirSync('/proc').filter((name) => name.charCodeAt(0) >= 48 && name.charCodeAt(0) <= 57)
    // The youngest are looked at first: they fork and go meanwhile. Parents stay before their children in the list.
    const stats = pids.reverse().map(readStat).reverse()
    return { processes: stats.flatMap((stat) => parseStat(stat) ?? []), complete: !stats.includes('') }
  },
  find(pid) {
    const found = parseStat(readStat(pid))
    return found?.alive === true ? found : null
  },
  variable(pid, name) {
    const environment = readEnvironment(pid)
    if (environment === null) return null
    if (environment.length === 0) return hasNoEnvironment(readStat(pid)) ? null : 'unsure'
    if (!environment.includes(`${name}=`)) return null
    const entry = environment
      .toString('utf8')
      .split('\0')
      .find((one) => one.startsWith(`${name}=`))
    return entry === undefined ? null : { value: entry.slice(name.length + 1) }
  },
}

/** The unit of the times in /proc, the same on every Linux of today. */
const tickMs = 10
const statBuffer = Buffer.alloc(4096)

/** Empty when the process is gone. One buffer for all: a look reads hundreds of these. */
function readStat(pid: number | string): string {
  try {
    const fd = openSync(`/proc/${pid}/stat`, 'r')
    try {
      return statBuffer.toString('latin1', 0, readSync(fd, statBuffer))
    } finally {
      closeSync(fd)
    }
  } catch {
    return ''
  }
}

/** Empty when the process is gone; null when it is another user's. */
function readEnvironment(pid: number): Buffer | null {
  try {
    return readFileSync(`/proc/${pid}/environ`)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? null : Buffer.alloc(0)
  }
}

/** `pid (name) state parent group session … start …`; the name may hold spaces and parentheses. */
function parseStat(stat: string): Process | null {
  if (stat === '') return null
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return {
    pid: Number.parseInt(stat, 10),
    parent: Number(fields[1]),
    session: Number(fields[3]),
    start: Number(fields[19]),
    alive: fields[0] !== 'Z' && fields[0] !== 'X',
    workedMs: tickMs * (Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14])),
  }
}

/** A kernel thread, or a program started with an empty environment; not one whose memory is being replaced or freed. */
function hasNoEnvironment(stat: string): boolean {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const isKernels = fields[1] === '2' || fields[1] === '0'
  const [start = 0, end = 0] = fields.slice(47, 49).map(Number)
  // One that was becoming another program a moment ago has an environment by now.
  return isKernels || (end > 0 && start === end)
}

const everyone = process.platform === 'darwin' ? ['-A', '-E', '-ww'] : ['axeww']
const only = (pid: number) => (process.platform === 'darwin' ? ['-E', '-ww', '-p', `${pid}`] : ['eww', '-p', `${pid}`])
const row = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/
/** Command and environment, as last seen. One ps shows them all, and one for each would take seconds. */
const commands = new Map<number, string>()

export const psProcesses: Processes = {
  list() {
    commands.clear()
    return { processes: ps(everyone), complete: true }
  },
  find(pid) {
    commands.delete(pid)
    return ps(only(pid)).find((one) => one.alive) ?? null
  },
  variable(pid, name) {
    const command = commands.get(pid) ?? ''
    const at = command.lastIndexOf(` ${name}=`)
    return at === -1 ? null : { value: command.slice(at + name.length + 2).split(' ')[0] ?? '' }
  },
}

function ps(selection: string[]): Process[] {
  const { stdout } = spawnSync('ps', [...selection, '-o', 'pid=,ppid=,pgid=,stat=,lstart=,args='], {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    env: { ...process.env, LC_ALL: 'C' },
  })
  return stdout.split('\n').flatMap((text) => {
    const [, pid, parent, session, state, start, command] = row.exec(text) ?? []
    if (state === undefined || start === undefined) return []
    commands.set(Number(pid), command ?? '')
    const ids = { pid: Number(pid), parent: Number(parent), session: Number(session) }
    return [{ ...ids, start: Date.parse(start), alive: !state.startsWith('Z'), workedMs: 0 }]
  })
}
