import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { devNull } from 'node:os'
import { isAbsolute } from 'node:path'
import { isCramped } from '../../../std/files.ts'
import { tell } from '../../../std/running.ts'
import { again, DiedError, died, diedText, type Ended, failedCall, spawnFailure, timeoutFailure } from './failures.ts'

export interface GitCall {
  args: string[]
  cwd?: string
  env?: Record<string, string>
  input?: string | Buffer
  timeoutMs?: number
  /** Exit codes that are an answer and not a failure; 0 always is. */
  accept?: number[]
  /** Kills the child once it has printed this much; `cut` says so. */
  maxBytes?: number
  /** Not to be asked again when it died by a signal: its caller has to look first how far it came. */
  once?: boolean
}

export interface GitOutput {
  code: number
  stdout: Buffer
  stderr: string
  cut: boolean
}

const queryTimeoutMs = 10_000
export const bulkTimeoutMs = 600_000

/** In trees of ours: no configuration but this, whatever the machine or the user has set. */
export function ours(call: GitCall): GitCall {
  return { ...call, args: [...ourOptions, ...call.args], env: { ...ourEnvironment(), ...call.env } }
}

/** In the user's repository: their configuration counts (line endings, filters, safe directories), their hooks do not. */
export function theirs(call: GitCall): GitCall {
  const env = { ...take(userInherited), ...quietEnvironment, ...call.env }
  return { ...call, args: [...quietOptions, ...call.args], env }
}

export const ourGit = (call: GitCall): Promise<GitOutput> => run(ours(call))
export const userGit = (call: GitCall): Promise<GitOutput> => run(theirs(call))

const settings = (values: Record<string, string>): string[] =>
  Object.entries(values).flatMap(([key, value]) => ['-c', `${key}=${value}`])

const quietOptions = [
  '--literal-pathspecs',
  '--no-pager',
  ...settings({
    'core.hooksPath': devNull,
    'commit.gpgsign': 'false',
    'core.fsmonitor': 'false',
    'gc.auto': '0',
    'maintenance.auto': 'false',
    'submodule.recurse': 'false',
    'protocol.version': '2',
    'core.filesRefLockTimeout': '1000',
  }),
]

// The project's own .gitattributes still count, or what we commit would show as modified in the user's checkout.
const ourOptions = [
  ...quietOptions,
  ...settings({ 'core.autocrlf': 'false', 'core.eol': 'lf', 'core.safecrlf': 'false', 'core.quotePath': 'false' }),
]

const inherited = ['PATH', 'TMPDIR', 'TEMP', 'TMP', 'SYSTEMROOT']
const userInherited = [
  ...[...inherited, 'HOME', 'USER', 'LOGNAME', 'XDG_CONFIG_HOME'],
  ...['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'],
]

function ourEnvironment(): Record<string, string> {
  return {
    ...take(inherited),
    ...quietEnvironment,
    HOME: devNull,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
  }
}

const quietEnvironment = { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', GIT_EDITOR: 'false' }

function take(names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]!]])),
  )
}

async function run(call: GitCall): Promise<GitOutput> {
  const attempt = (): Promise<Ended> => endOf(call)
  const ended = await (call.once === true ? attempt() : again(call.args, attempt))
  const { code, stdout, stderr, cut } = ended
  const isAnswer = code === 0 || cut || call.accept?.includes(code ?? -1) === true
  if (ended.late || died(ended) || !isAnswer) throw gitFailure(call, ended)
  return { code: code ?? -1, stdout, stderr, cut }
}

export function gitFailure(call: GitCall, ended: Ended): Error {
  if (ended.late) return timeoutFailure(call.args)
  if (!died(ended)) return failedCall(call.args, { code: ended.code ?? -1, stderr: ended.stderr }, isShortOfRoom(call))
  if (call.once === true) tell(`${diedText(call.args, ended)}, and what it left is looked at`)
  return new DiedError(diedText(call.args, ended))
}

const isShortOfRoom = ({ cwd, args, env = {} }: GitCall): boolean =>
  [cwd ?? '', ...args, ...Object.values(env)].some((path) => isAbsolute(path) && isCramped(path))

function endOf(call: GitCall): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = startGit(call, reject)
    const chunks: Buffer[] = []
    const most = call.maxBytes ?? Number.POSITIVE_INFINITY
    let bytes = 0
    let late = false
    const timer = setTimeout(() => {
      late = true
      killGroup(child)
    }, call.timeoutMs ?? queryTimeoutMs)
    child.on('error', () => clearTimeout(timer))
    child.stdout.on('data', (chunk: Buffer) => {
      if (bytes <= most) chunks.push(chunk)
      bytes += chunk.length
      if (bytes > most) killGroup(child)
    })
    const said = saidBy(child)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      resolve({ code, signal, late, stdout: Buffer.concat(chunks), stderr: said(), cut: bytes > most })
    })
    child.stdin.end(call.input ?? '')
  })
}

export function startGit(call: GitCall, failed: (error: Error) => void): ChildProcessWithoutNullStreams {
  const child = spawn('git', call.args, { cwd: call.cwd ?? '/', env: call.env, detached: true, stdio: 'pipe' })
  child.on('error', (error) => failed(spawnFailure(error, call.cwd)))
  // What it has started itself must not go on behind the back of whoever asks again.
  child.on('exit', (_, signal) => signal !== null && killGroup(child))
  // A child that ends before it has read everything is no error of ours.
  child.stdin.on('error', () => {})
  return child
}

/** What it says besides its answers. */
export function saidBy(child: ChildProcessWithoutNullStreams): () => string {
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < 64_000) stderr += chunk.toString('utf8')
  })
  return () => stderr
}

export function killGroup(child: ChildProcessWithoutNullStreams): void {
  if (child.pid === undefined || child.exitCode !== null) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

export const singleLine = (output: GitOutput): string => output.stdout.toString('utf8').trim()

/** The items of NUL-terminated output. */
export const itemsOf = (output: GitOutput): string[] => output.stdout.toString('utf8').split('\0').slice(0, -1)
