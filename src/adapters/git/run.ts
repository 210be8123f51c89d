import { type ChildProcess, spawn } from 'node:child_process'
import { devNull } from 'node:os'
import { isAbsolute } from 'node:path'
import { isCramped } from '../../std/disk-full.ts'
import { tell } from '../../std/running/telling.ts'
import { again } from './child/again.ts'
import { died, diedText } from './child/died.ts'
import type { Ended } from './child/ended.ts'
import { DiedError, failure, spawnFailure, timeoutFailure } from './failures.ts'

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
export function ourGit(call: GitCall): Promise<GitOutput> {
  return run({ ...call, args: [...ourOptions, ...call.args] }, { ...ourEnvironment(), ...call.env })
}

/** In the user's repository: their configuration counts (line endings, filters, safe directories), their hooks do not. */
export function userGit(call: GitCall): Promise<GitOutput> {
  return run({ ...call, args: [...quietOptions, ...call.args] }, { ...userEnvironment(), ...call.env })
}

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
  ...inherited,
  'HOME',
  'USER',
  'LOGNAME',
  'XDG_CONFIG_HOME',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
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

const userEnvironment = (): Record<string, string> => ({ ...take(userInherited), ...quietEnvironment })

const quietEnvironment = { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', GIT_EDITOR: 'false' }

function take(names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]!]])),
  )
}

async function run(call: GitCall, env: Record<string, string>): Promise<GitOutput> {
  const attempt = (): Promise<Ended> => start(call, env)
  const ended = await (call.once === true ? attempt() : again(call.args, attempt))
  const { stdout, stderr, cut } = ended
  const result = { code: ended.code ?? -1, stdout, stderr, cut }
  if (ended.late) throw timeoutFailure(call.args)
  if (died(ended)) {
    if (call.once === true) tell(`${diedText(call.args, ended)}, and what it left is looked at`)
    throw new DiedError(diedText(call.args, ended))
  }
  if (result.code === 0 || cut || call.accept?.includes(result.code)) return result
  throw failure(call.args, result, isShortOfRoom(call))
}

const isShortOfRoom = ({ cwd, args, env = {} }: GitCall): boolean =>
  [cwd ?? '', ...args, ...Object.values(env)].some((path) => isAbsolute(path) && isCramped(path))

function start(call: GitCall, env: Record<string, string>): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', call.args, { cwd: call.cwd ?? '/', env, detached: true, stdio: 'pipe' })
    const output = collect(child, call.maxBytes ?? Number.POSITIVE_INFINITY)
    let late = false
    const timer = setTimeout(() => {
      late = true
      killGroup(child)
    }, call.timeoutMs ?? queryTimeoutMs)
    child.on('error', (error) => {
      clearTimeout(timer)
      reject(spawnFailure(error, call.cwd))
    })
    // What it has started itself must not go on behind the back of whoever asks again.
    child.on('exit', (_, signal) => signal !== null && killGroup(child))
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      resolve({ code, signal, late, ...output() })
    })
    // A child that ends before it has read everything is no error of ours.
    child.stdin.on('error', () => {})
    child.stdin.end(call.input ?? '')
  })
}

function collect(child: ChildProcess, maxBytes: number): () => Pick<Ended, 'stdout' | 'stderr' | 'cut'> {
  const chunks: Buffer[] = []
  let bytes = 0
  let stderr = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    if (bytes <= maxBytes) chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxBytes) killGroup(child)
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    if (stderr.length < 64_000) stderr += chunk.toString('utf8')
  })
  return () => ({ stdout: Buffer.concat(chunks), stderr, cut: bytes > maxBytes })
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

export const lineOf = (output: GitOutput): string => output.stdout.toString('utf8').trim()

/** The items of NUL-terminated output. */
export const itemsOf = (output: GitOutput): string[] => output.stdout.toString('utf8').split('\0').slice(0, -1)
