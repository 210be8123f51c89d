import type { AgentDriver } from '../ports/agent-driver.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventLog } from '../ports/event-log.ts'
import type { Holdings, PlacePaths } from '../ports/holdings.ts'
import type { Memory } from '../ports/memory.ts'
import type { Pool } from '../ports/pool.ts'
import type { Prices } from '../ports/prices.ts'
import type { Signatures } from '../ports/proofs/signing.ts'
import type { Pulses } from '../ports/pulses.ts'
import type { Repository } from '../ports/repository/repository.ts'
import type { Compiled, Elsewhere, Shell } from '../ports/shell.ts'
import type { Web } from '../ports/web.ts'
import type { CodeReader } from '../proof/files/test-file.ts'
import type { SecretScanner } from '../proof/inspection/secrets.ts'
import type { Formats } from '../proof/merging/three-way.ts'

export interface StepWorld {
  repository: (repository: { id: string; path: string }) => Promise<Repository>
  shell: Shell
  places: PlacePaths
  pool: Pool
  holdings: Holdings
  blobs: Blobs
  /** What was learned about the repository. */
  memory: Memory
  log: Pick<EventLog, 'findProof' | 'query' | 'spentOn'>
  driver: (name: string) => Promise<AgentDriver | null>
  /** Our program that takes answers by a tool; null where it is not built. */
  submitProgram: { program: string; file: string } | null
  /** The environment of a check: the user's own without what is secret, and these. */
  environment: (extra: Record<string, string>) => Record<string, string>
  /** Facts of the machine that a proof depends on: platform, architecture, versions. */
  environmentKey: string
  redact: (text: string) => string
  /** From now on, what a file with settings calls secret is taken out, too. */
  learnSecrets: (text: string) => void
  signing: Signatures
  prices: Prices
  pulses: Pulses
  /** Files and folders with keys of the user's, which no agent has to see. */
  secretPlaces: string[]
  /** What confined commands see of the user's home (`home`), and what never: ours. */
  tools: {
    home: string
    ours: string
    places: () => string[]
    caches: () => Promise<Elsewhere[]>
    compiled: Compiled | null
  }
  /** Instructions of the user's that an agent finds from this folder where it is not confined. */
  strayInstructions: (folder: string) => string[]
  /** Loaded when it is first asked for. */
  web: () => Promise<Web>
  /** Reads code by its structure; loaded when it is first asked for. */
  code: () => Promise<CodeReader>
  /** Loaded when it is first asked for. */
  secrets: () => Promise<SecretScanner>
  /** What merges formats whose parser is not ours. */
  formats: () => Promise<Formats>
  /** Those of an agent's own that it must not change. */
  guardedPlaces: string[]
  clock: Clock
  /** The calendar day on which ceilings of a day count. */
  dayOf(at: number): string
  /** A named moment at which a test may kill the process; does nothing otherwise. */
  crashPoint: (name: string) => void
}
