// What a confined tree sees of the file system: all of it read-only, but for what is named here. Where two of them
// overlap, the longer path wins.
import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path'
import type { Command, Confinement } from '../../../ports/shell.ts'
import { invariant } from '../../../std/never.ts'

type Confined = Pick<Command, 'cwd' | 'env'> & { confine: Confinement; program: string; args: string[] }

interface Mount {
  path: string
  /** Where it is, if it appears at another path. */
  from?: string
  /** `covered`: an empty folder of its own. `needed` is shown also where its surroundings are hidden. */
  kind: 'covered' | 'guarded' | 'hidden' | 'lent' | 'needed' | 'shown' | 'writable'
}

/** Where the command sees this path. */
export function seenPath(path: string, { guise }: Confinement): string {
  const around = guise?.elsewhere.find(({ from }) => contains(from, path))
  return around === undefined ? path : join(around.at, path.slice(around.from.length))
}

/** Others leave files and sockets there, and a socket can be written to wherever it lies. */
const covered = ['/tmp', '/run']

export function mounts(command: Confined): string[] {
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
