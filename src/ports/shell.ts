/**
 * Child processes, whole trees of them. Never throws for what a child does; throws TerminalError when the
 * machine cannot spawn at all (no memory, no such directory) and nothing has run.
 * When `run` returns, no process that carries the mark is alive.
 */
export interface Shell {
  run(command: Command): Promise<Exit>
  /** Kills every process on this machine that carries this mark (or a mark that starts with it). Returns how many. */
  sweep(markPrefix: string): Promise<number>
}

export interface Command {
  /** A program with its arguments, or one line for `sh -c`. */
  run: { program: string; args: string[] } | { line: string }
  cwd: string
  /** The whole environment: nothing of ours leaks in. */
  env: Record<string, string>
  /** Written to standard input, which is then closed. */
  input: string
  /** Becomes ROPEWALK_MARK in the environment of the tree. */
  mark: string
  timeoutMs: number
  /** No output for this long; null: no such limit. */
  idleTimeoutMs: number | null
  signal: AbortSignal
  /** Where standard output and error go, interleaved as they come, 0600. Null: only the tail is kept. */
  spool: string | null
  /** Each line of standard output as it comes; a line over 1 MB is cut, and says so. */
  onLine: ((line: string) => void) | null
  /** Called once with the pid. */
  onStart: ((pid: number) => void) | null
}

export interface Exit {
  reason: 'exited' | 'signalled' | 'timeout' | 'idle' | 'aborted' | 'not-found'
  code: number | null
  signal: string | null
  durationMs: number
  /** The last 64 KiB of standard output and of standard error. */
  stdoutTail: string
  stderrTail: string
  outputBytes: number
  /** Processes of the tree that had to be killed after the command itself had ended. */
  leftBehind: number
}
