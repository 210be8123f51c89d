import { existsSync, readdirSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { z } from 'zod'
import { cutMiddle, fencedOutput } from './output.ts'
import { patternInside, ToolError, type ToolPlace } from './place.ts'
import { run } from './run.ts'
import { tool } from './tool.ts'

const timeoutMs = 60_000
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
    const listed = await git(wide, [
      'ls-files',
      '-z',
      '-c',
      '-o',
      '--exclude-standard',
      '--deduplicate',
      ...only(files),
    ])
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
  run({ ...place, env: { ...place.env, LC_ALL: 'C' } }, ['git', '-c', 'core.quotePath=false', ...args], timeoutMs)

/** For a workspace that git does not know. */
function namesBelow({ workspace }: ToolPlace, files: string | undefined): string[] {
  const start = resolve(workspace, files ?? '.')
  return readdirSync(start, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(workspace, resolve(entry.parentPath, entry.name)))
}
