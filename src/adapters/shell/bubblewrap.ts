import { type ChildProcess, type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { TerminalError, TransientError } from '../../ports/errors.ts'
import type { Command, Confinement } from '../../ports/shell.ts'
import { invariant } from '../../std/never.ts'

/** Its file, or why it does not work here. */
export type Bubblewrap = { file: string } | { problem: string }

const probeTimeoutMs = 10_000

/** By doing: it runs a program with all that a confinement takes away. */
export function findBubblewrap(searchPath: string | undefined): Bubblewrap {
  if (process.platform !== 'linux') return { problem: 'bubblewrap exists for Linux only' }
  const found = findProgram('bwrap', { cwd: '/', searchPath })
  if ('problem' in found) return { problem: 'bubblewrap is not installed' }
  const confine = { write: [], hide: [], show: [], guard: [], bare: [], kept: [], network: false }
  const args = wrap({ cwd: '/', env: {}, confine, file: '/bin/sh', argv: ['/bin/sh', '-c', ':'] })
  const stdio = ['ignore', 'ignore', 'pipe', 'pipe'] as const
  const probe = spawnSync(found.path, args, { encoding: 'utf8', env: {}, stdio: [...stdio], timeout: probeTimeoutMs })
  if (probe.status === 0) return { file: found.path }
  return { problem: `bubblewrap cannot make namespaces on this machine (${wordsOf(probe)})` }
}

function wordsOf({ error, stderr, status }: SpawnSyncReturns<string>): string {
  return error?.message ?? (stderr.trim().split('\n').at(-1) || `exit code ${status}`)
}

/** What the kernel says when there are too many of them at this moment; of namespaces it says that a device is full. */
const soonOver = [/No space left on device/i, /temporarily unavailable|Cannot allocate memory|Too many open files/i]

/** For one command, where others were confined before it: nobody runs it free instead. */
export function notThisTime(problem: string): TransientError | TerminalError {
  const which = soonOver.findIndex((pattern) => pattern.test(problem))
  if (which === -1) return cannotConfine(problem)
  const why = which === 0 ? 'the machine allows no further namespaces (/proc/sys/user tells how many)' : problem
  return new TransientError(`cannot confine a command at this moment: ${why}`)
}

export function cannotConfine(problem: string): TerminalError {
  return new TerminalError(
    `cannot confine a command: ${problem}`,
    'Install bubblewrap and allow it to make namespaces, or set `sandbox: none`.',
  )
}

/** What bubblewrap told by the time when nobody holds the descriptor any more. */
export interface Confining {
  /** The command inside began and ended. */
  hasRun: boolean
  /** The first process inside: when it has ended, so has every other one there. */
  first: number | null
}

export async function confiningOf(child: ChildProcess): Promise<Confining> {
  const status = await text(child.stdio[statusDescriptor] as Readable).catch(() => '')
  const first = /"child-pid": (\d+)/.exec(status)?.[1]
  return { hasRun: status.includes('"exit-code"'), first: first === undefined ? null : Number(first) }
}

/** The file that a shell would run under this name, or what is wrong with it. */
export function findProgram(
  program: string,
  { cwd, searchPath }: { cwd: string; searchPath: string | undefined },
): { path: string } | { problem: string } {
  const folders = (searchPath ?? '/usr/bin:/bin').split(delimiter)
  const candidates = program.includes('/') ? [program] : folders.map((folder) => join(folder, program))
  const files = candidates.map((path) => resolve(cwd, path)).filter(isFile)
  const path = files.find(isExecutable)
  if (path !== undefined) return { path }
  return { problem: files.length === 0 ? 'no such program' : 'not executable' }
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The variable by which every process of a tree is known, whatever session it moved to. */
export const markVariable = 'ROPEWALK_MARK'

/** Where bubblewrap tells whether the command began. */
const statusDescriptor = 3

/** To whom the whole machine's files belong, his still do; to mount, to trace and to send signals he may not. */
const capabilitiesOfRoot = ['CAP_CHOWN', 'CAP_DAC_OVERRIDE', 'CAP_FOWNER']
/** Root's by ownership alone: a fresh /proc has them writable. */
const knobsOfTheMachine = ['acpi', 'asound', 'bus', 'driver', 'fs', 'irq', 'mtrr', 'scsi', 'sys', 'sysrq-trigger']

type Wrapped = Pick<Command, 'cwd' | 'env'> & {
  confine: Confinement
  /** The program's file, and how it is called. */
  file: string
  argv: string[]
}

/**
 * The arguments of bubblewrap. It is in our own session, so the whole tree stays in one that we know; and it dies
 * with us, and the tree with it.
 */
export function wrap({ cwd, env, confine, file, argv }: Wrapped): string[] {
  for (const path of confine.write) makeFolder(path)
  return [
    ...['--die-with-parent', '--unshare-pid', '--unshare-ipc', ...(confine.network ? [] : ['--unshare-net'])],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...['--cap-drop', 'ALL', ...(process.getuid?.() === 0 ? asRoot() : [])],
    ...mounts({ cwd, env, confine, program: file, args: argv.slice(1) }),
    ...(env.TMPDIR === undefined ? [] : ['--setenv', 'TMPDIR', '/tmp']),
    ...['--chdir', seenPath(realpathSync(cwd), confine), '--json-status-fd', `${statusDescriptor}`],
    ...(confine.guise === undefined ? ['--', ...argv] : inDisguise(argv)),
  ]
}

/** Nothing of bubblewrap is left inside: the first process is a plain shell, as the user's would be. */
const inDisguise = (argv: string[]): string[] => [
  ...['--as-pid-1', '--unsetenv', markVariable],
  ...['--', '/bin/sh', '-c', '"$0" "$@"; exit $?', ...argv],
]

function makeFolder(path: string): void {
  if (existsSync(path)) return
  try {
    mkdirSync(path, { recursive: true })
  } catch (error) {
    throw new TerminalError(`cannot make ${path}: ${(error as Error).message}`, 'Check who may write there.')
  }
}

function asRoot(): string[] {
  const knobs = knobsOfTheMachine.map((name) => `/proc/${name}`).filter((path) => existsSync(path))
  return [
    ...capabilitiesOfRoot.flatMap((name) => ['--cap-add', name]),
    ...knobs.flatMap((path) => ['--ro-bind', path, path]),
  ]
}

// What a confined tree sees of the file system: all of it read-only, but for what is named here. Where two of them
// overlap, the longer path wins.

type Confined = Pick<Command, 'cwd' | 'env'> & { confine: Confinement; program: string; args: string[] }

interface Mount {
  path: string
  /** Where it is, if it appears at another path. */
  from?: string
  /** `covered`: an empty folder of its own. `needed` is shown also where its surroundings are hidden. */
  kind: 'covered' | 'guarded' | 'hidden' | 'lent' | 'needed' | 'shown' | 'writable'
}

/** Where the command sees this path. */
function seenPath(path: string, { guise }: Confinement): string {
  const around = guise?.elsewhere.find(({ from }) => contains(from, path))
  return around === undefined ? path : join(around.at, path.slice(around.from.length))
}

/** Others leave files and sockets there, and a socket can be written to wherever it lies. */
const covered = ['/tmp', '/run']

function mounts(command: Confined): string[] {
  const { confine } = command
  const writable = writablePaths(confine.write)
  const elsewhere = confine.guise?.elsewhere ?? []
  const bare = bareFolders(confine)
  const kept = confine.kept.filter((path) => existsSync(path)).map(inRealFolder)
  const cwd = realpathSync(command.cwd)
  const own = elsewhere.some(({ from }) => contains(from, cwd)) ? [] : [cwd]
  const isKept = (path: string) => path !== cwd && !writable.includes(path)
  const apart = (path: string) => isApart(path, { bare, kept })
  const programs = [command.program, ...confine.show].flatMap(ownFiles)
  const wanted = [
    ...of('covered', [...real(covered), ...bare]),
    ...of(
      'hidden',
      real(confine.hide).filter((path) => isKept(path) && !isGone(path, { ...confine, bare, kept })),
    ),
    ...of('writable', writable),
    ...of('guarded', real(confine.guard).filter(isKept)),
    ...of('needed', [...own, ...programs.filter(apart), ...kept]),
    ...of('shown', ownPaths(command).filter(apart)),
    ...of('shown', nameServers()),
    ...elsewhere.map(({ from, at, write }): Mount => ({ path: at, from, kind: write ? 'writable' : 'lent' })),
  ]
  const made = wanted.sort((a, b) => depth(a.path) - depth(b.path)).reduce<Mount[]>(addUnlessSeen, [])
  for (const path of [...writable, ...kept, ...real(confine.show)])
    invariant(sees(made, path), `a confined command is to see ${path}, and would not`)
  return [...made.flatMap(argumentsOf), ...made.flatMap(sealing)]
}

/** Whether what is confined by these finds this path as it is. */
function sees(made: Mount[], path: string): boolean {
  const around = made.findLast((mount) => contains(mount.path, path))
  return around === undefined || (around.kind !== 'covered' && around.kind !== 'hidden')
}

const real = (paths: string[]): string[] => paths.filter((path) => existsSync(path)).map((path) => realpathSync(path))
/** A link is kept under its own name. */
const inRealFolder = (path: string): string => join(realpathSync(dirname(path)), basename(path))
/** Whose home is the whole machine cannot be without it. */
const bareFolders = ({ bare }: Confinement): string[] => real(bare).filter((path) => path !== '/')
const of = (kind: Mount['kind'], paths: string[]): Mount[] => paths.map((path) => ({ path, kind }))
const depth = (path: string): number => path.split('/').filter((part) => part !== '').length
const contains = (folder: string, path: string): boolean => path === folder || path.startsWith(join(folder, '/'))

/** Where nothing is left anyway, not even an empty folder says that there was something. */
function isGone(path: string, { guise, bare, kept }: Confinement): boolean {
  if (guise === undefined) return false
  const around = [...real(covered), ...bare].some((folder) => contains(folder, path))
  return around && !kept.some((one) => contains(one, path))
}

/** The folder around a program is shown with it; in a bare one, that must not be what holds all else. */
const isApart = (path: string, { bare, kept }: Pick<Confinement, 'bare' | 'kept'>): boolean =>
  bare.every(
    (folder) =>
      !contains(path, folder) &&
      !shared.some((name) => path === join(folder, name)) &&
      !(contains(folder, path) && kept.some((one) => one !== path && contains(path, one))),
  )

const shared = ['.local', '.config', '.cache', '.local/share']

/** One inside of another is bound after all, unless it was made to lead out by who may write to the other. */
function writablePaths(paths: string[]): string[] {
  return paths.flatMap((path) => {
    const target = realpathSync(path)
    const around = paths.filter((other) => other !== path && contains(other, path))
    return around.every((other) => contains(realpathSync(other), target)) ? [target] : []
  })
}

/** What is visible anyway needs no mount of its own, which would make it read-only within a writable folder. */
function addUnlessSeen(made: Mount[], mount: Mount): Mount[] {
  const around = made.filter((other) => contains(other.path, mount.path)).at(-1)
  if (mount.kind === 'needed' || mount.kind === 'shown') {
    const isUnseen = around?.kind === 'covered' || (around?.kind === 'hidden' && mount.kind === 'needed')
    if (!isUnseen || around.path === mount.path) return made
  }
  if (mount.kind === 'hidden' && around?.kind === 'hidden') return made
  if (mount.kind === 'guarded' && around?.kind !== 'writable') return made
  return [...made, mount]
}

function argumentsOf({ path, kind, from = path }: Mount): string[] {
  if (kind === 'writable') return ['--bind', from, path]
  if (kind === 'needed' || kind === 'shown' || kind === 'guarded' || kind === 'lent') return ['--ro-bind', from, path]
  return kind === 'covered' || statSync(path).isDirectory() ? ['--tmpfs', path] : ['--dev-bind', '/dev/null', path]
}

/** What is written to a hidden folder would be lost in silence. */
function sealing({ path, kind }: Mount): string[] {
  return kind === 'hidden' && statSync(path).isDirectory() ? ['--remount-ro', path] : []
}

function ownFiles(file: string): string[] {
  return bothNames(file).flatMap((path) => [...surroundings(dirname(path)), path])
}

const bothNames = (path: string): string[] => [path, realpathSync(path)]

/** A program lies among the files it needs: its package, or the folders beside `bin`. */
function surroundings(folder: string): string[] {
  const modules = /^.*?\/node_modules(?=\/|$)/.exec(folder)
  return [...(modules ?? []), ...(basename(folder) === 'bin' ? [dirname(folder)] : []), folder]
}

/** What its arguments and its environment point to. */
function ownPaths({ args, env }: Confined): string[] {
  const there = (paths: string[]) => paths.filter((path) => isAbsolute(path) && existsSync(path))
  const programs = there((env.PATH ?? '').split(delimiter))
    .flatMap(bothNames)
    .flatMap(surroundings)
  const named = there(args).flatMap((path) => (statSync(path).isDirectory() ? bothNames(path) : ownFiles(path)))
  return [...named, ...programs, ...there([env.HOME ?? ''])]
}

/** Without the file that /etc/resolv.conf leads to, no name is found. */
function nameServers(): string[] {
  const file = '/etc/resolv.conf'
  return existsSync(file) ? [dirname(realpathSync(file))] : []
}
