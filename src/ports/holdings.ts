/**
 * What live places have of this machine besides files: ports, room on the disk, instances of what must be up. All of
 * it is on record with the process that holds it, in all processes of this home; what a dead one held is free again.
 */
export interface Holdings {
  /** A name, and as many ports in a row, which nobody else holds and nothing listens on. TransientError: there are none. */
  hold(place: string, ports: number): Promise<void>
  /**
   * Sets room aside for a place that is about to be made: pool entries and spare places that nobody uses go first, the
   * least recently used before others. TerminalError when it is not enough.
   */
  makeRoom(place: string, quotaMb: number): Promise<void>
  /** It is made: from now on its true size counts. TerminalError when it is over the quota. */
  settle(place: string, quotaMb: number): Promise<void>
  /** Before it is started, so that it can be ended whatever happens to us. */
  recordInstance(instance: Instance): void
  forgetInstance(instance: Instance): void
  /** Those of this process. */
  instancesOf(place: string): Instance[]
  /** Those of processes that are gone. They are the caller's from now on, and nobody else's. */
  adoptInstances(): Instance[]
  /** What the commands and agents in this folder find in their environment. */
  environmentOf(folder: string): Record<string, string>
  release(place: string): void
}

/** Something that was brought up for one place, with all that is needed to bring it down. */
export interface Instance {
  place: string
  name: string
  down: string | null
  environment: Record<string, string>
  timeoutMs: number
  mark: string
}
