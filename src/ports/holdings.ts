import type { Confinement } from './shell.ts'

/**
 * What live places have of this machine besides files: ports, room on the disk, instances of what must be up. All of
 * it is on record with the process that holds it, in all processes of this home; what a dead one held is free again.
 */
export interface Holdings {
  /** A name, and as many ports in a row, which nobody else holds and nothing listens on. TransientError: there are none. */
  hold(place: string, ports: number): Promise<void>
  /**
   * Sets room aside for a place until it is released: pool entries and spare places that nobody uses go first, the
   * least recently used before others. It does not wait: TransientError while other work has room that it will leave,
   * TerminalError when it would not fit alone, or when nobody has left any for long.
   */
  makeRoom(place: string, room: DiskRoom): Promise<void>
  /** So much is about to be put into the place besides its commit. Fails as makeRoom does. */
  enlarge(place: string, bytes: number): Promise<void>
  /** Keeps something else while there is room for it. Null: there is none, and nothing was done. */
  besides<T>(place: string, bytes: number, use: () => Promise<T>): Promise<T | null>
  /** It is made: from now on its true size counts, and is expected of others like it. Fails as makeRoom does. */
  settle(place: string): Promise<void>
  /** Before it is started, so that it can be ended whatever happens to us. */
  recordInstance(instance: Instance): void
  forgetInstance(instance: Instance): void
  /** Those of this process. */
  instancesOf(place: string): Instance[]
  /** Those of processes that are gone. */
  abandoned(): Instance[]
  /** The same; they are the caller's from now on, and nobody else's. What else the dead held is forgotten. */
  adoptInstances(): Instance[]
  /** What the commands and agents in this folder find in their environment. */
  environmentOf(folder: string): Record<string, string>
  release(place: string): void
}

/** What is to be counted for a place. Without it, nothing is. */
export interface DiskRoom {
  quotaMb: number
  /** Of its commit. */
  bytes: number
  /** What set-up adds is taken to be the same in all places with this name. */
  like: string
  /** Whose it is: what the same one holds is not waited for. */
  by: string
  /** A workspace keeps its room until its story is merged, and its checks need as much again meanwhile. */
  lasting: boolean
}

/** Something that was brought up for one place, with all that is needed to bring it down. */
export interface Instance {
  place: string
  name: string
  down: string | null
  environment: Record<string, string>
  timeoutMs: number
  mark: string
  /** How its commands are confined, also when nobody performs its step any more; null: they are as free as we are. */
  confine?: Confinement | null
}

/** Where workspaces, clean places, spools and result files are on this machine; ids pass one validating function. */
export interface PlacePaths {
  workspace(delivery: string, story: string, attempt: number): string
  /** A fresh, empty path for one clean export. */
  clean(delivery: string, step: string): string
  /** Where all clean places of a delivery are. */
  cleanFolder(delivery: string): string
  spool(delivery: string, name: string): string
  result(delivery: string, name: string): string
}
