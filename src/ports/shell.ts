/**
 * Child processes, whole trees of them. Never throws for what a child does; throws TerminalError when the
 * machine cannot spawn or confine at all (no memory, no such directory) and nothing has run.
 * When `run` returns, no process that carries the mark is alive.
 */
export interface Shell {
  run(command: Command): Promise<Exit>
  /** Why commands cannot be confined on this machine; null: they can. */
  unconfinable(): Promise<string | null>
  /** Kills every process on this machine that carries this mark (or a mark that starts with it). Returns how many. */
  sweep(markPrefix: string): Promise<number>
}

export interface Command {
  /** A program with its arguments, or one line for `sh -c`. */
  run: { program: string; args: string[] } | { line: string }
  cwd: string
  /** The whole environment: nothing of ours leaks in. */
  env: Record<string, string>
  /** Written to standard input, which is then closed; or what talks to the command while it runs. */
  input: string | ((stdin: StandardInput) => void)
  /** Becomes ROPEWALK_MARK in the environment of the tree. */
  mark: string
  timeoutMs: number
  /** No sign of life for this long: no output, no work of the processor, no changed file in `cwd`; null: no such limit. */
  idleTimeoutMs: number | null
  /** While this says so, silence is fine: a tool runs, somebody is asked. Null: never. */
  isWaiting: (() => boolean) | null
  /** Resolves when the command has said all it has to say: then it has a moment to exit, and is ended. Null: it exits. */
  done: Promise<void> | null
  /** Null: as free as we are. */
  confine: Confinement | null
  signal: AbortSignal
  /** Where standard output and error go without secrets, line by line as they come, 0600. Null: only the tail is kept. */
  spool: string | null
  /** Each line of standard output as it comes; a line over 1 MB is cut, and says so. */
  onLine: ((line: string) => void) | null
  /** Called once with the pid. */
  onStart: ((pid: number) => void) | null
}

export interface StandardInput {
  write(text: string): void
  end(): void
}

/**
 * What a tree of processes may touch; the rest of the machine it can only read, and what others keep in /tmp and /run
 * it does not see. Of two paths here, one inside of the other, the longer one counts there. It dies with us.
 */
export interface Confinement {
  /** Files and folders that it may write to, besides a /tmp of its own; a folder that is missing is made. */
  write: string[]
  /** Files and folders that it must not even see; its program and `cwd` it sees anyway. */
  hide: string[]
  /** Files that it must be able to read and to start, wherever they lie. */
  show: string[]
  /** Files and folders that it may only read, also inside of what it may write to; those that do not exist it may make. */
  guard: string[]
  /** Folders that it finds empty, and may fill for itself, but for what else is named here: the user's home. */
  bare: string[]
  /** What it sees in those, and in what is hidden, after all, and may only read. That it does is made sure of before it runs. */
  kept: string[]
  /** False: not even a server on this machine can be reached. */
  network: boolean
  /** Without: it may see that it is ours. */
  guise?: Guise
}

/** What makes a command look, from inside, like one that the user has started: not even its mark is seen there. */
export interface Guise {
  /** Folders that it sees at another path; `cwd` is meant there, too. */
  elsewhere: Elsewhere[]
}

export interface Elsewhere {
  from: string
  at: string
  write: boolean
}

/** What compilers keep from one run for the next, in a folder that commands find at this path. */
export interface Compiled {
  at: string
  /** Puts aside what a run has made there, without results of tests; nothing where it made nothing, or others have. */
  keep(made: string, kept: string): Promise<void>
  /** False: nothing was kept. */
  copy(kept: string, to: string): Promise<boolean>
}

export interface Exit {
  /** `lingered`: it was done and did not exit by itself. */
  reason: 'exited' | 'lingered' | 'signalled' | 'timeout' | 'idle' | 'aborted' | 'not-found'
  /** Of a confined command that died of a signal: 128 and the signal's number. */
  code: number | null
  signal: string | null
  durationMs: number
  /** The last 64 KiB of standard output and of standard error. */
  stdoutTail: string
  stderrTail: string
  outputBytes: number
  /** Processes of the tree that had to be killed after the command itself had ended; a confined tree may leave none. */
  leftBehind: number
}
