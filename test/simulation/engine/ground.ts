// The world that steps act on: commits, the target, agents in workspaces. It outlives every process of ours.

import { hashOf } from '../../../src/std/hash.ts'
import { invariant } from '../../../src/std/never.ts'

interface Commit {
  id: string
  tree: string
  parent: string | null
  /** Stories whose work is in it, in order. */
  stories: string[]
  /** Foreign commits below it. */
  foreign: number
  /** What is wrong in it, by the story that did it. */
  faults: string[]
}

interface Agent {
  mark: string
  story: string
}

export class Ground {
  readonly commits = new Map<string, Commit>()
  target: string
  readonly proven = new Map<string, Set<string>>()
  readonly agents = new Set<Agent>()
  readonly checks: string[]
  landings = 0
  /** The user's checkout is neither as it was nor as it should be. */
  isTorn = false

  constructor(checks: string[]) {
    this.checks = checks
    this.target = this.commit({ stories: [], foreign: 0, parent: null, faults: [] }, 'base')
  }

  /** The same content on the same parent is the same commit: redoing makes nothing twice. */
  commit(content: Omit<Commit, 'id' | 'tree'>, salt: string): string {
    const id = `c${hashOf([content, salt])}`
    this.commits.set(id, { id, tree: `t${hashOf([content, salt])}`, ...content })
    return id
  }

  at(id: string): Commit {
    const commit = this.commits.get(id)
    invariant(commit !== undefined, `nobody made ${id}`)
    return commit
  }

  /** The faults of one commit, with what another did to those of its base. */
  merged(onto: string, { base, commit }: { base: string; commit: string }): string[] {
    const [before, after] = [this.at(base).faults, this.at(commit).faults]
    const kept = this.at(onto).faults.filter((one) => after.includes(one) || !before.includes(one))
    return [...new Set([...kept, ...after.filter((one) => !before.includes(one))])]
  }

  /** As a check sees it: what its base has as well is not charged. */
  isRed(commit: string, base: string): boolean {
    return this.at(commit).faults.some((one) => !this.at(base).faults.includes(one))
  }

  prove(tree: string, judge: string): void {
    this.proven.set(tree, (this.proven.get(tree) ?? new Set()).add(judge))
  }

  /** Compare and swap, looking first: what was done before is not done again. */
  land(from: string, to: string): 'landed' | 'moved' {
    if (this.holds(to)) return 'landed'
    if (this.target !== from) return 'moved'
    const seen = this.proven.get(this.at(to).tree)
    invariant(
      this.checks.every((check) => seen?.has(check)),
      'the target moves to a tree that nobody proved',
    )
    const before = this.at(from)
    const stories = this.at(to).stories
    invariant(!stories.includes('acceptance') || seen?.has('acceptance'), 'what lands has not passed acceptance tests')
    invariant(
      before.stories.every((story, i) => stories[i] === story),
      'landing drops what had landed',
    )
    invariant(new Set(stories).size === stories.length, 'a story lands twice')
    invariant(this.at(to).foreign === before.foreign, 'landing drops what others pushed')
    invariant(this.at(to).faults.length === 0, 'the target moves to what is wrong')
    this.target = to
    this.landings += 1
    return 'landed'
  }

  /** Who finds it half written has to know by the log that it was us: what a user has edited stays as it is. */
  follow(isOurs: boolean): void {
    invariant(!this.isTorn || isOurs, 'the checkout is half written, and nobody knows by whom')
    this.isTorn = true
  }

  followed(): void {
    this.isTorn = false
  }

  private holds(commit: string): boolean {
    for (let one: string | null = this.target; one !== null; one = this.at(one).parent) if (one === commit) return true
    return false
  }

  /** Somebody else pushes to the target. */
  push(): void {
    const { stories, foreign } = this.at(this.target)
    this.target = this.commit({ stories, foreign: foreign + 1, parent: this.target, faults: [] }, 'theirs')
  }

  enter(agent: Agent): void {
    for (const other of this.agents)
      invariant(other.story !== agent.story, `two agents in the workspace of ${agent.story}`)
    this.agents.add(agent)
  }

  /** Null: it is claimed that there are none. */
  sweep(prefix: string | null): void {
    for (const agent of this.agents) if (prefix !== null && agent.mark.startsWith(prefix)) this.agents.delete(agent)
  }
}
