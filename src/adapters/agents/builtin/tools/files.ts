import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import * as z from 'zod'
import { cutMiddle, fencedOutput, ToolError, type ToolPlace, tool } from './tool.ts'

const longestFileBytes = 10 * 1024 * 1024
const path = z.string().min(1).describe('Relative to the workspace')
const line = z.number().int().positive().optional()

export const readFileTool = tool({
  name: 'read_file',
  description: 'Reads a text file, or some lines of it. Long output is cut in the middle: ask for a range then.',
  input: z.object({ path, from: line.describe('First line, counted from 1'), to: line.describe('Last line') }),
  run({ path, from, to }, place) {
    const lines = textOf(place, path).split(/(?<=\n)/)
    const chosen = lines.slice((from ?? 1) - 1, to ?? lines.length)
    const shown = `lines ${from ?? 1} to ${(from ?? 1) + chosen.length - 1} of ${lines.length}`
    return `${path}, ${shown}\n${fencedOutput(cutMiddle(chosen.join(''), place.maxOutputBytes), '')}`
  },
})

export const editFileTool = tool({
  name: 'edit_file',
  description: 'Replaces a piece of text in a file. It must occur exactly once, so give enough of what is around it.',
  input: z.object({
    path,
    find: z.string().min(1).describe('The text as it is in the file, with its white space'),
    replace: z.string().describe('What comes instead'),
  }),
  run({ path, find, replace }, place) {
    const text = textOf(place, path)
    const [wanted, instead] = inLineEndingsOf(text, find, replace)
    const count = text.split(wanted).length - 1
    if (count !== 1)
      throw new ToolError(`The text occurs ${count} times in ${path}; it must be there once. Nothing was changed.`)
    write(
      pathInside(place, path),
      text.replace(wanted, () => instead),
    )
    return `${path} was changed.`
  },
})

export const writeFileTool = tool({
  name: 'write_file',
  description: 'Writes a whole file and the folders it needs. Use edit_file to change a part of one.',
  input: z.object({ path, content: z.string() }),
  run({ path, content }, place) {
    const file = writablePath(place, path)
    mkdirSync(dirname(file), { recursive: true })
    write(file, content)
    return `${path} was written.`
  },
})

function textOf(place: ToolPlace, path: string): string {
  const file = pathInside(place, path)
  const found = statSync(file)
  if (!found.isFile()) throw new ToolError(`${path} is not a file`)
  if (found.size > longestFileBytes) throw new ToolError(`${path} has ${found.size} bytes: use search or shell`)
  const bytes = readFileSync(file)
  const text = bytes.toString('utf8')
  // Written back, such a file would not be the same.
  if (text.includes('\0') || !Buffer.from(text).equals(bytes)) throw new ToolError(`${path} is not a text in UTF-8`)
  return text
}

/** Models write plain line breaks, whatever the file has. */
function inLineEndingsOf(text: string, find: string, replace: string): [string, string] {
  if (text.includes(find) || !text.includes('\r\n')) return [find, replace]
  const windows = (piece: string) => piece.replace(/\r?\n/g, '\r\n')
  return [windows(find), windows(replace)]
}

/** Never through a link, nor into a pipe that nobody reads. */
function write(file: string, text: string): void {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = constants
  const handle = openSync(file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK)
  try {
    writeFileSync(handle, text)
  } finally {
    closeSync(handle)
  }
}

/** The real path of what is meant, which is inside the workspace also when links are followed. */
function pathInside({ workspace }: ToolPlace, path: string): string {
  const root = realpathSync(workspace)
  const asked = resolve(root, path)
  const real = realPath(asked)
  if (real === null) throw new ToolError(`${path} is a link that leads nowhere`)
  if (!isBelow(root, real)) throw new ToolError(`${path} is outside of the workspace`)
  return real
}

/** As above, or the file for the result. */
function writablePath(place: ToolPlace, path: string): string {
  const { resultFile } = place
  if (resultFile !== null && isAbsolute(path) && resolve(path) === resolve(resultFile)) return resultFile
  return pathInside(place, path)
}

/** Of something that may not exist yet: its nearest folder that does counts. Null for a link to nothing. */
function realPath(path: string): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found?.isSymbolicLink()) return followed(path)
  if (found !== undefined) return realpathSync(path)
  const folder = realPath(dirname(path))
  return folder === null ? null : resolve(folder, relative(dirname(path), path))
}

function followed(link: string): string | null {
  try {
    return realpathSync(link)
  } catch {
    return null
  }
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}
