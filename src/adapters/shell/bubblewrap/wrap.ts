import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { TerminalError } from '../../../ports/errors.ts'
import type { Command, Confinement } from '../../../ports/shell.ts'
import { mounts, seenPath } from './mounts.ts'

/** The variable by which every process of a tree is known, whatever session it moved to. */
export const markVariable = 'ROPEWALK_MARK'

/** Where bubblewrap tells whether the command began. */
export const statusDescriptor = 3

/** To whom the whole machine's files belong, his still do; to mount, to trace and to send signals he may not. */
const capabilitiesOfRoot = ['CAP_CHOWN', 'CAP_DAC_OVERRIDE', 'CAP_FOWNER']
/** Root's by ownership alone: a fresh /proc has them writable. */
const knobsOfTheMachine = ['acpi', 'asound', 'bus', 'driver', 'fs', 'irq', 'mtrr', 'scsi', 'sys', 'sysrq-trigger']

export type Wrapped = Pick<Command, 'cwd' | 'env'> & {
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
