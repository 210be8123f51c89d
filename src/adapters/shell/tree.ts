import { setTimeout as sleep } from 'node:timers/promises'
import { TerminalError } from '../../ports/errors.ts'
import { invariant } from '../../std/never.ts'
import { markVariable } from './bubblewrap/wrap.ts'
import type { ProcessorWork } from './limits.ts'
import type { Process, Processes } from './processes.ts'

/** The process trees that run now. */
export type Forest = ReturnType<typeof openForest>
export type ProcessTree = ReturnType<Forest['plant']>

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
    const { members, sure } = look(tree, processes)
    emptyLooks = members.length === 0 ? emptyLooks + 1 : 0
    const enough = sure ? 1 : told.size === 0 ? looksWhenUnsure : looksAfterAFight
    if (emptyLooks >= enough) return told.size
    const passedMs = performance.now() - since
    if (members.length > 0 && passedMs > graceMs + unkillableMs) throw unkillable(members)
    if (passedMs < graceMs) terminate(tree, processes, { members, told })
    else kill(tree, processes, { members, told })
    remember(tree, members)
    if (members.length > 0) await sleep(waitMs)
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

/** Who is alive of it. Not sure when one may have forked and gone while we looked: then its child is not on the list. */
function look(tree: TreeFacts, processes: Processes): { members: Process[]; sure: boolean } {
  const { processes: all, complete } = processes.list()
  let sure = complete && !all.some((one) => !one.alive && isYounger(tree, one))
  const members = kin(tree, all, (pid) => {
    const mark = processes.variable(pid, markVariable)
    if (mark === 'unsure') sure = false
    return mark !== null && mark !== 'unsure' && tree.carries(mark.value)
  })
  return { members, sure }
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
