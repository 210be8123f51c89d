import type { Policy } from '../delivery/policy.ts'
import type { DeliveryState } from '../delivery/state.ts'
import type { EngineWorld } from '../engine/world.ts'
import type { AgentDriver } from '../ports/agent-driver.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventLog, Recorded, Wake } from '../ports/event-log.ts'
import type { Instance } from '../ports/holdings.ts'
import type { Learning } from '../ports/memory.ts'
import type { Pool } from '../ports/pool.ts'
import type { Prices } from '../ports/prices.ts'
import type { Prompts } from '../ports/prompts.ts'
import type { RegressionSearch } from '../ports/proofs/regression.ts'
import type { Rehearsal, SortedFile } from '../ports/proofs/rehearsal.ts'
import type { Signatures } from '../ports/proofs/signing.ts'
import type { UserRepository } from '../ports/proofs/user-repository.ts'
import type { Verifier } from '../ports/proofs/verifier.ts'
import type { Pulses } from '../ports/pulses.ts'
import type { Repositories, Repository } from '../ports/repository/repository.ts'

/** What the desk needs of the world. Everything is opened on first use, so that each request loads only what it needs. */
export interface DeskWorld {
  home: string
  userFile: string
  env: Record<string, string | undefined>
  log(): Promise<EventLog>
  /** What `submit` needs. */
  intake(): Promise<{ log: EventLog; clock: Clock; wake: Wake }>
  /** The clones are kept under `home`: another one for a look that leaves nothing behind. */
  repositories(home: string): Promise<Repositories>
  /** Of the repository around a folder, without asking git; null when there is none. */
  repositoryId(folder: string): Promise<string | null>
  driver(name: string): Promise<AgentDriver>
  prices(): Promise<Prices>
  /** What running steps do at this moment. */
  pulses(): Promise<Pulses>
  signing(): Promise<Signatures>
  /** Of the repository around a folder: its commits, and whether their proofs hold. */
  verification(folder: string): Promise<{ repository: UserRepository; verifier: Verifier }>
  /** Of the repository around a folder: with which commit a check became red. */
  regression(folder: string): Promise<RegressionSearch>
  /** What would have been stopped of the work that is there: with a home for that time alone. */
  rehearsal<T>(use: (rehearsal: Rehearsal, home: string) => Promise<T>): Promise<T>
  /** What serves the tests of a commit, and what its product. */
  material(
    repository: Repository,
    request: { commit: string; policy: Pick<Policy, 'checks' | 'setup' | 'tests'> },
  ): Promise<SortedFile[]>
  /** About the repository around a folder. */
  learning(folder: string): Promise<Learning>
  /** What agents are told. */
  prompts(): Promise<Prompts>
  /** Why agents cannot be confined on this machine; null: they can. */
  unconfinable(): Promise<string | null>
  /** Instructions of the user's that agents find from their workspaces where they are not confined. */
  strayInstructions(): Promise<string[]>
  /** What set-up made, kept for further places. */
  pool(): Promise<Pool>
  /** What is up for places of processes that are gone. */
  abandoned(): Promise<Instance[]>
  /** Brings it down. */
  bringDownAbandoned(): Promise<void>
  /** Ends every process of a delivery on this machine; how many there were. */
  sweep(delivery: string): Promise<number>
  engine(onChange: (state: DeliveryState, recorded: Recorded[]) => void): Promise<EngineWorld>
  /** Null when there is none. */
  gitVersion(): Promise<string | null>
  /** Where a delivery's files are on this machine. */
  folders(delivery: string): Record<'workspaces' | 'places' | 'spools' | 'results' | 'pulses', string>
  /** Every delivery that has a folder here. */
  housed(): string[]
  /** Keeps the intact part of a damaged log and sets the damaged file aside. */
  salvage(): Promise<Salvaged>
  /** What our clones keep of deliveries, whatever the log says. */
  keptRefs(): Promise<{ delivery: string; clone: string; refs: string[] }[]>
}

export type Salvaged =
  | { status: 'intact' }
  | {
      status: 'salvaged'
      /** Null: there was none. */
      damagedFile: string | null
      deliveries: { delivery: string; kept: number; lost: number | null; problem: string | null }[]
    }

/** Who stands at the desk, whatever face they use. */
export interface Visitor {
  user: string
  /** Where they stand: what they do not name is looked for here. */
  folder: string
  /** They can be asked. */
  attended: boolean
  /** Hears what is worth a word before the answer is there. */
  hear(notice: Notice): void
}

/** `doing`: until the next of its kind, or until the answer; null ends it. */
export type Notice = { kind: 'doing'; text: string | null } | { kind: 'note' | 'warning'; text: string }

/** One visitor, and the world that the desk stands in. */
export interface Visit extends Visitor {
  world: DeskWorld
}

export function tellAll({ hear }: Pick<Visit, 'hear'>, told: { warnings: string[]; notes: string[] }): void {
  for (const text of told.warnings) hear({ kind: 'warning', text })
  for (const text of told.notes) hear({ kind: 'note', text })
}

/** Tells the visitor what they wait for. */
export async function meanwhile<T>({ hear }: Pick<Visit, 'hear'>, text: string, work: Promise<T>): Promise<T> {
  hear({ kind: 'doing', text })
  return await work.finally(() => hear({ kind: 'doing', text: null }))
}
