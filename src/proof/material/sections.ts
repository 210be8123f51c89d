// Files of sections with a header in brackets (TOML, INI), told apart as text: what is not of tests stays as it is.

/** Which parts of such a file say how tests run. */
export interface Blocks {
  /** The whole section. */
  isFormer(header: string): boolean
  /** Single lines of a section; null: none. */
  formerKeys(header: string): RegExp | null
}

interface Block {
  header: string
  lines: string[]
}

/** The new file with these parts as they were before. */
export function withFormerBlocks(before: string, after: string, blocks: Blocks): string {
  const [former, present] = [blocksOf(before), blocksOf(after)]
  const wanted = former.filter(({ header }) => blocks.isFormer(header))
  const had = present.filter(({ header }) => blocks.isFormer(header))
  const rest = present.filter(({ header }) => !blocks.isFormer(header))
  const mended = rest.map((block) => withFormerLines(block, former, blocks))
  const same = textOf(wanted) === textOf(had) && textOf(mended) === textOf(rest)
  return same ? after : `${textOf(mended)}\n${textOf(wanted)}\n`
}

function withFormerLines(block: Block, former: Block[], blocks: Blocks): Block {
  const keys = blocks.formerKeys(block.header)
  if (keys === null) return block
  const old = former.find(({ header }) => header === block.header)?.lines.filter((line) => keys.test(line)) ?? []
  const now = block.lines.filter((line) => keys.test(line))
  if (old.join('\n') === now.join('\n')) return block
  const [head, ...rest] = block.lines
  return { ...block, lines: [head!, ...old, ...rest.filter((line) => !keys.test(line))] }
}

const textOf = (blocks: Block[]): string => blocks.map(({ lines }) => lines.join('\n').trimEnd()).join('\n\n')

/** What stands above the first header has an empty one. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [{ header: '', lines: [] }]
  for (const line of text.split(/\r?\n/)) {
    // A list that goes over several lines is no header.
    const header = /^\[\[?\s*([^\][,]+?)\s*\]\]?\s*(?:[#;].*)?$/.exec(line)?.[1]
    if (header === undefined) blocks.at(-1)!.lines.push(line)
    else blocks.push({ header: header.replace(/["']/g, ''), lines: [line] })
  }
  return blocks.filter(({ lines }) => lines.some((line) => line.trim() !== ''))
}
