import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { TerminalError } from '../../ports/errors.ts'
import { invariant } from '../../std/never.ts'
import { markVariable } from './bubblewrap.ts'

/** The process trees that run now. */
export type Forest = ReturnType<typeof openForest>
export type ProcessTree = ReturnType<Forest['plant']>

/** How much processor time the command's tree has used: as last seen, or by a new look. */
export interface ProcessorWork {
  seenMs(): number
  lookMs(): number
}

const lookEveryMs = 1_000
const unkillableMs = 30_000
const looksWhenUnsure = 6
const looksAfterAFight = 10

export function openForest(processes: Processes, graceMs: number) {
  const trees = new Set<TreeFacts>()
  let timer: NodeJS.Timeout | null = null

  function lookAtAll(): void {
    const { processes: all } = processes.list()
    for (const tree of trees) {
      const members = kin(tree, all, () => false)
      remember(tree, members)
      addWork(tree, members)
    }
  }

  /** A child that clears its environment and leaves its session is found only while its parents live: so we look. */
  function watch(): void {
    if (trees.size > 0) timer ??= setInterval(lookAtAll, lookEveryMs).unref()
    else if (timer !== null) {
      clearInterval(timer)
      timer = null
    }
  }

  return {
    /** `isWrapped`: it and its child are bubblewrap, whose end is a sudden one for all within. */
    plant(pid: number, { mark, isWrapped }: { mark: string; isWrapped: boolean }) {
      const start = processes.find(pid)?.start ?? 0
      const tree = { ...treeFacts((value) => value === mark), root: { pid, start }, isWrapped }
      trees.add(tree)
      watch()
      const forget = () => {
        trees.delete(tree)
        watch()
      }
      const work: ProcessorWork = {
        seenMs: () => tree.workedMs,
        lookMs() {
          lookAtAll()
          return tree.workedMs
        },
      }
      /** Ends all that is alive of it, TERM first. Returns how many there were. */
      const end = (): Promise<number> => endTree(tree, processes, graceMs).finally(forget)
      /** Whether all of it is gone with this one, the first in its namespace: no look at all processes is needed then. */
      const endsWith = async (first: number): Promise<boolean> => {
        const isGone = await isGoneWithin(graceMs, first, processes)
        if (isGone) forget()
        return isGone
      }
      return { end, endsWith, work }
    },
    /** Ends every process whose mark starts with the prefix, and their children. Returns how many there were. */
    sweep(markPrefix: string): Promise<number> {
      invariant(markPrefix !== '', 'a sweep needs a mark')
      const tree = treeFacts((value) => value.startsWith(markPrefix))
      return endTree(tree, processes, graceMs)
    },
  }
}

interface TreeFacts {
  root: { pid: number; start: number } | null
  isWrapped: boolean
  carries: (mark: string) => boolean
  /** Members seen so far, pid to start. */
  known: Map<number, number>
  /** Processor time of those alive, at the last look. */
  sumMs: number
  /** Processor time used so far, as far as it was seen. */
  workedMs: number
}

function treeFacts(carries: TreeFacts['carries']): TreeFacts {
  return { root: null, isWrapped: false, carries, known: new Map(), sumMs: 0, workedMs: 0 }
}

/** The time of one that ends goes to its parent, so the sum stays; when nobody of the tree gets it, the sum shrinks. */
function addWork(tree: TreeFacts, members: Process[]): void {
  const sumMs = members.reduce((sum, member) => sum + member.workedMs, 0)
  tree.workedMs += Math.max(0, sumMs - tree.sumMs)
  tree.sumMs = sumMs
}

async function endTree(tree: TreeFacts, processes: Processes, graceMs: number): Promise<number> {
  const since = performance.now()
  const told = new Set<string>()
  let emptyLooks = 0
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 50)) {
    const { members, sure, between } = look(tree, processes)
    const isAnyoneThere = members.length > 0 || (between && performance.now() - since < graceMs)
    emptyLooks = isAnyoneThere ? 0 : emptyLooks + 1
    const enough = sure ? 1 : told.size === 0 ? looksWhenUnsure : looksAfterAFight
    if (emptyLooks >= enough) return told.size
    const passedMs = performance.now() - since
    if (members.length > 0 && passedMs > graceMs + unkillableMs) throw unkillable(members)
    if (passedMs < graceMs) terminate(tree, processes, { members, told })
    else kill(tree, processes, { members, told })
    remember(tree, members)
    if (isAnyoneThere) await sleep(waitMs)
  }
}

/** The kernel ends all within before the first of a namespace is gone, and bubblewrap, which has ended, takes it along. */
async function isGoneWithin(graceMs: number, pid: number, processes: Processes): Promise<boolean> {
  const until = performance.now() + graceMs
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 50)) {
    if (processes.find(pid) === null) return true
    if (performance.now() > until) return false
    await sleep(waitMs)
  }
}

/**
 * Who is alive of it. Not sure when one may have forked and gone while we looked: then its child is not on the list.
 * `between`: one is just becoming another program, and says a moment later whose it is.
 */
function look(tree: TreeFacts, processes: Processes): { members: Process[]; sure: boolean; between: boolean } {
  const { processes: all, complete } = processes.list()
  let between = false
  let sure = complete && !all.some((one) => !one.alive && isYounger(tree, one))
  const members = kin(tree, all, (pid) => {
    const mark = processes.variable(pid, markVariable)
    if (mark === 'unsure') {
      sure = false
      between ||= processes.find(pid) !== null
    }
    return mark !== null && mark !== 'unsure' && tree.carries(mark.value)
  })
  return { members, sure, between }
}

function remember(tree: TreeFacts, members: Process[]): void {
  for (const member of members) tree.known.set(member.pid, member.start)
}

interface Targets {
  members: Process[]
  /** Who was signalled so far. */
  told: Set<string>
}

/** Once each: to many programs a second TERM means "at once". What one of them starts to clean up is left alone. */
function terminate(tree: TreeFacts, processes: Processes, { members, told }: Targets): void {
  const cleaners = new Set(members.filter((member) => told.has(identity(member))).map((member) => member.pid))
  for (const member of members)
    if (!told.has(identity(member)) && !cleaners.has(member.parent) && !isWrapper(tree, member))
      if (isSame(tree, processes, member) && signal(member.pid, 'SIGTERM')) told.add(identity(member))
}

/** It ends by itself when those within have ended. */
const isWrapper = ({ root, isWrapped }: TreeFacts, { pid, parent }: Process): boolean =>
  isWrapped && root !== null && (pid === root.pid || parent === root.pid)

/** The group in one blow, so that nothing forks faster than we kill; its number is ours while a member lives. */
function kill(tree: TreeFacts, processes: Processes, { members, told }: Targets): void {
  const { root } = tree
  const inSession = root === null ? undefined : members.find((member) => isInSession(root, member))
  if (root !== null && inSession !== undefined && isSame(tree, processes, inSession)) signal(-root.pid, 'SIGKILL')
  for (const member of members)
    if (isSame(tree, processes, member) && signal(member.pid, 'SIGKILL')) told.add(identity(member))
}

const identity = ({ pid, start }: Process): string => `${pid}:${start}`

/** The pid may be somebody else's by now: who it is, is read again right before the signal. */
function isSame(tree: TreeFacts, processes: Processes, member: Process): boolean {
  const now = processes.find(member.pid)
  if (now === null || now.start !== member.start) return false
  const mark = processes.variable(now.pid, markVariable)
  return isKnown(tree, now) || (mark !== null && mark !== 'unsure' && tree.carries(mark.value))
}

function signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false // Gone meanwhile; or another user's, and then the next look still finds it.
  }
}

/** Those who belong by mark, by session or because they did before; and all their descendants. Never ourselves. */
function kin(tree: TreeFacts, all: Process[], isMarked: (pid: number) => boolean): Process[] {
  const children = new Map<number, Process[]>()
  for (const one of all) {
    const siblings = children.get(one.parent)
    if (siblings === undefined) children.set(one.parent, [one])
    else siblings.push(one)
  }
  const members = new Map<number, Process>()
  const add = (one: Process): void => {
    if (!one.alive || one.pid === process.pid || members.has(one.pid)) return
    members.set(one.pid, one)
    for (const child of children.get(one.pid) ?? []) add(child)
  }
  for (const one of all) if (isKnown(tree, one) || (one.alive && isYounger(tree, one) && isMarked(one.pid))) add(one)
  return [...members.values()]
}

function isKnown(tree: TreeFacts, one: Process): boolean {
  return tree.known.get(one.pid) === one.start || (tree.root !== null && isInSession(tree.root, one))
}

function isInSession(root: { pid: number; start: number }, one: Process): boolean {
  return one.pid === root.pid ? one.start === root.start : one.session === root.pid && one.start >= root.start
}

const isYounger = (tree: TreeFacts, one: Process): boolean => tree.root === null || one.start >= tree.root.start

function unkillable(members: Process[]): TerminalError {
  const pids = members.map((member) => member.pid).join(', ')
  return new TerminalError(`cannot end process ${pids}`, `End it by hand (kill -9 ${pids}), then resume.`)
}

// What runs on this machine, from /proc or, where there is none, from ps.

interface Process {
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
