import type { TreeId } from '../../../delivery/ids.ts'
import type { Conflict, Side } from '../../../ports/repository/composing.ts'
import { type Clone, inClone } from '../clone.ts'
import { bulkTimeoutMs, itemsOf } from '../run.ts'

export interface Entry {
  mode: string
  object: string
  /** 1 is the base, 2 the line, 3 the story, 4 what came of it. */
  stage: number
}

export interface Trees {
  base: TreeId
  ours: TreeId
  theirs: TreeId
}

export type Sides = Pick<Conflict, 'path' | 'base' | 'ours' | 'theirs'> & {
  result: Side | null
  pointer: boolean
  binary: boolean
}

const longestBytes = 1_000_000

/** The three sides of each file, with the text of those that have one. */
export async function sidesOf(clone: Clone, stages: Map<string, Entry[]>): Promise<Sides[]> {
  const files = [...stages.values()].flat().filter(({ mode }) => mode !== '160000')
  const sizes = await sizesOf(clone, [...new Set(files.map(({ object }) => object))])
  const small = [...sizes].filter(([, bytes]) => bytes <= longestBytes).map(([object]) => object)
  const contents = await contentsOf(clone, small)
  return [...stages].map(([path, entries]) => {
    const at = (stage: number): Side | null => {
      const entry = entries.find((one) => one.stage === stage)
      return entry === undefined ? null : sideOf(entry, sizes, contents)
    }
    const [base, ours, theirs, result] = [at(1), at(2), at(3), at(4)]
    const texts = entries.filter(({ mode }) => mode.startsWith('100')).map(({ object }) => contents.get(object))
    const pointer = texts.some((text) => text?.subarray(0, lfs.length).toString('latin1') === lfs)
    return { path, base, ours, theirs, result, pointer, binary: texts.some((text) => text?.includes(0)) }
  })
}

const lfs = 'version https://git-lfs.github.com/spec/'

function sideOf({ mode, object }: Entry, sizes: Map<string, number>, contents: Map<string, Buffer>): Side {
  const content = contents.get(object)
  return { mode, object, bytes: sizes.get(object) ?? null, text: content === undefined ? null : textOf(content) }
}

function textOf(content: Buffer): string | null {
  if (content.includes(0)) return null
  const text = content.toString('utf8')
  return Buffer.from(text, 'utf8').equals(content) ? text : null
}

async function sizesOf(clone: Clone, objects: string[]): Promise<Map<string, number>> {
  if (objects.length === 0) return new Map()
  const output = await inClone(clone, ['cat-file', '--batch-check'], bulk(objects))
  const lines = output.stdout.toString('utf8').trim().split('\n')
  return new Map(lines.map((line) => line.split(' ')).map(([object, , size]) => [object!, Number(size)]))
}

/** `id blob size`, a line feed, the content, a line feed; and again. */
async function contentsOf(clone: Clone, objects: string[]): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>()
  if (objects.length === 0) return contents
  const { stdout } = await inClone(clone, ['cat-file', '--batch'], bulk(objects))
  for (let at = 0; at < stdout.length; ) {
    const start = stdout.indexOf(10, at) + 1
    const [object, , size] = stdout.toString('latin1', at, start - 1).split(' ')
    contents.set(object!, stdout.subarray(start, start + Number(size)))
    at = start + Number(size) + 1
  }
  return contents
}

const bulk = (objects: string[]) => ({ input: `${objects.join('\n')}\n`, timeoutMs: bulkTimeoutMs })

/** Of files that all of these trees have under the same name. */
export async function entriesAt(
  clone: Clone,
  trees: Trees & { result?: TreeId },
  paths: string[],
): Promise<Map<string, Entry[]>> {
  if (paths.length === 0) return new Map()
  const wanted = [trees.base, trees.ours, trees.theirs, ...(trees.result === undefined ? [] : [trees.result])]
  const all = await Promise.all(wanted.map((tree, index) => entriesOf(clone, tree, { paths, stage: index + 1 })))
  const whole = paths.filter((path) => all.every((entries) => entries.has(path)))
  return new Map(whole.map((path) => [path, all.map((entries) => entries.get(path)!)]))
}

export async function mergedSides(
  clone: Clone,
  trees: Trees & { result: TreeId },
  paths: string[],
): Promise<(Sides & { result: Side })[]> {
  const sides = await sidesOf(clone, await entriesAt(clone, trees, paths))
  return sides.map((side) => ({ ...side, result: side.result! }))
}

export async function entriesOf(
  clone: Clone,
  tree: string,
  { paths, stage }: { paths: string[]; stage: number },
): Promise<Map<string, Entry>> {
  const items = itemsOf(await inClone(clone, ['ls-tree', '-z', '--full-tree', tree, '--', ...paths]))
  return new Map(
    items.map((item) => {
      const [, mode, object, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(item)!
      return [path!, { mode: mode!, object: object!, stage }]
    }),
  )
}
