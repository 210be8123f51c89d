// The tools that run programs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { jsonObjectIn } from '../../../../std/files.ts'
import { plainText } from '../../../../std/text/plain-text.ts'
import type { FunctionTool } from '../model/api.ts'
import { cutMiddle, fencedOutput, keepEnds, type ModelTool, ToolError, type ToolPlace, tool } from './tool.ts'

export const shellTool = tool({
  name: 'shell',
  description:
    'Runs one command line with sh in the workspace. No input; whatever it leaves running in the background is ended.',
  input: z.object({
    command: z.string().min(1),
    timeoutSeconds: z.number().positive().max(1800).default(120).describe('Then it is ended'),
  }),
  async run({ command, timeoutSeconds }, place) {
    const { code, output, timedOut } = await run(place, ['sh', '-c', command], timeoutSeconds * 1000)
    const ended = timedOut ? `ended after ${timeoutSeconds} seconds` : code === null ? 'killed' : `exit code ${code}`
    return { ok: code === 0, text: `${ended}\n${fencedOutput(plainText(output), '')}` }
  },
})

const submitMs = 60_000

/** The tool that takes the answer, as the program says that is there for it; null: no answer is wanted. */
export function submitTool(program: string, resultFile: string): ModelTool | null {
  const { tool } = jsonObjectIn(`${resultFile}.contract`) as { tool?: Omit<FunctionTool, 'type'> }
  if (tool === undefined) return null
  const draft = `${resultFile}.draft`
  return {
    declared: { type: 'function', ...tool },
    async run(input, place) {
      writeFileSync(draft, JSON.stringify(input), { mode: 0o600 })
      const command: [string, ...string[]] = [process.execPath, program, '--once', draft, resultFile]
      const { code, output } = await run(place, command, submitMs)
      return { ok: code === 0, text: output.trim() }
    },
  }
}

const findMs = 60_000
const files = z
  .string()
  .min(1)
  .optional()
  .describe('Only these: a folder, a file or a pattern such as src/*.ts, in which * also matches folders')

export const listFilesTool = tool({
  name: 'list_files',
  description: 'Lists the files of the workspace; ignored ones are left out.',
  input: z.object({ files }),
  async run({ files }, place) {
    const wide = { ...place, maxOutputBytes: 16 * 1024 * 1024 }
    const listed = await git(wide, ['ls-files', '-zco', '--exclude-standard', '--deduplicate', ...only(files)])
    const known = listed.code === 0 ? listed.output.split('\0').filter((name) => name !== '') : namesBelow(place, files)
    // Git still knows what was deleted a moment ago.
    const names = known.filter((name) => existsSync(resolve(place.workspace, name)))
    return `${names.length} files\n${fencedOutput(cutMiddle(names.join('\n'), place.maxOutputBytes), '')}`
  },
})

export const searchTool = tool({
  name: 'search',
  description: 'Finds lines by a regular expression (Perl), in all files that are not ignored. Shows file:line:text.',
  input: z.object({ pattern: z.string().min(1), files, ignoreCase: z.boolean().default(false) }),
  async run({ pattern, files, ignoreCase }, place) {
    const found = await grep(place, [...(ignoreCase ? ['-i'] : []), '-e', pattern, ...only(files)])
    if (found.timedOut) throw new ToolError('The search took too long and was ended')
    if (found.code === 1) return 'Nothing was found.'
    if (found.code !== 0) throw new ToolError(found.output)
    return fencedOutput(found.output, '')
  },
})

const only = (files: string | undefined): string[] => (files === undefined ? [] : ['--', patternInside(files)])

interface Manner {
  where: '--untracked' | '--no-index'
  dialect: '-P' | '-E'
}

/** Not every workspace is git's, and not every git was built with Perl's expressions. */
async function grep(place: ToolPlace, args: string[], manner: Manner = { where: '--untracked', dialect: '-P' }) {
  const { where, dialect } = manner
  const found = await git(place, ['grep', '-n', '-I', '--no-color', where, dialect, ...args])
  if (found.code === 0 || found.code === 1) return found
  if (/not a git repository/.test(found.output) && where === '--untracked')
    return grep(place, args, { where: '--no-index', dialect })
  if (/Perl-compatible/.test(found.output) && dialect === '-P') return grep(place, args, { where, dialect: '-E' })
  return found
}

const git = (place: ToolPlace, args: string[]) =>
  run({ ...place, env: { ...place.env, LC_ALL: 'C' } }, ['git', '-c', 'core.quotePath=false', ...args], findMs)

/** For a workspace that git does not know. */
function namesBelow({ workspace }: ToolPlace, files: string | undefined): string[] {
  const start = resolve(workspace, files ?? '.')
  return readdirSync(start, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(workspace, resolve(entry.parentPath, entry.name)))
}

/** A pattern for git, which must not lead out either. */
function patternInside(pattern: string): string {
  if (isAbsolute(pattern) || pattern.startsWith(':') || pattern.split('/').includes('..'))
    throw new ToolError(`${pattern} must be relative to the workspace and stay in it`)
  return pattern
}

interface Ran {
  code: number | null
  /** Standard output and error as they came, cut in the middle. */
  output: string
  timedOut: boolean
}

/** Runs a program in a process group of its own, of which nothing is left when this returns. */
async function run(place: ToolPlace, command: [string, ...string[]], timeoutMs: number): Promise<Ran> {
  const [program, ...args] = command
  const child = spawn(program, args, {
    cwd: place.workspace,
    env: place.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const kept = keepEnds(place.maxOutputBytes)
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => kept.add(bytes))
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const limit = AbortSignal.any([place.signal, AbortSignal.timeout(timeoutMs)])
  const end = () => killGroup(child.pid)
  limit.addEventListener('abort', end, { once: true })
  try {
    const [code] = (await once(child, 'exit')) as [number | null]
    killGroup(child.pid)
    // Whoever has left the group may still hold the pipes.
    await Promise.race([closed, pause(1000, undefined, { ref: false })])
    return { code, output: kept.text(), timedOut: limit.aborted && !place.signal.aborted }
  } finally {
    limit.removeEventListener('abort', end)
    for (const stream of [child.stdout, child.stderr]) stream.destroy()
  }
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Nobody is left in it.
  }
}
