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
}

export interface Processes {
  /** All that are alive. `complete` is false when some vanished meanwhile: what they forked may be missing. */
  list(): { processes: Process[]; complete: boolean }
  find(pid: number): Process | null
  /** True when the environment it was started with has this variable and the value passes. */
  hasVariable(pid: number, name: string, passes: (value: string) => boolean): boolean
}

export function machineProcesses(): Processes {
  return existsSync('/proc/self/environ') ? procProcesses : psProcesses
}

const procProcesses: Processes = {
  list() {
    const pids = readdirSync('/proc').filter((name) => name.charCodeAt(0) >= 48 && name.charCodeAt(0) <= 57)
    const stats = pids.map(readStat)
    return { processes: stats.flatMap((stat) => parseStat(stat) ?? []), complete: !stats.includes('') }
  },
  find: (pid) => parseStat(readStat(pid)),
  hasVariable(pid, name, passes) {
    const environment = readEnvironment(pid)
    if (!environment.includes(`${name}=`)) return false
    const entries = environment.toString('utf8').split('\0')
    return entries.some((entry) => entry.startsWith(`${name}=`) && passes(entry.slice(name.length + 1)))
  },
}

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

/** Empty when the process is gone, or is another user's. */
function readEnvironment(pid: number): Buffer {
  try {
    return readFileSync(`/proc/${pid}/environ`)
  } catch {
    return Buffer.alloc(0)
  }
}

/** `pid (name) state parent group session … start …`; the name may hold spaces and parentheses. Zombies are dead. */
function parseStat(stat: string): Process | null {
  if (stat === '') return null
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z' || fields[0] === 'X') return null
  return {
    pid: Number.parseInt(stat, 10),
    parent: Number(fields[1]),
    session: Number(fields[3]),
    start: Number(fields[19]),
  }
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
    return ps(only(pid))[0] ?? null
  },
  hasVariable(pid, name, passes) {
    const command = commands.get(pid) ?? ''
    const at = command.lastIndexOf(` ${name}=`)
    return at !== -1 && passes(command.slice(at + name.length + 2).split(' ')[0] ?? '')
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
    if (state === undefined || start === undefined || state.startsWith('Z')) return []
    commands.set(Number(pid), command ?? '')
    return [{ pid: Number(pid), parent: Number(parent), session: Number(session), start: Date.parse(start) }]
  })
}
