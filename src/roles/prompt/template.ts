import { TerminalError } from '../../ports/errors.ts'
import { hashOf } from '../../std/hash.ts'
import { plainText } from '../../std/text/plain-text.ts'
import { type PromptName, prompts } from '../sees.ts'
import { bytesPerToken, type SectionName, sections } from './sections.ts'

/** The Markdown of a prompt: text, with `{{section}}` on lines of their own, and `{{word}}` within text. */
export interface Template {
  name: PromptName
  /** The path of the repository's own; null: ours. */
  override: string | null
  hash: string
  text: string
}

type Block = { text: string } | { place: SectionName }

const longestTokens = 4_000

/** `text` of ours, or of the repository (`override`): whoever writes one hears what is wrong with it. */
export function templateOf(name: PromptName, text: string, override: string | null): Template {
  const plain = plainText(text).trim()
  const template = { name, override, hash: hashOf(text), text: plain }
  const problem = Buffer.byteLength(plain) > longestTokens * bytesPerToken ? tooLong(plain) : strangePlace(template)
  if (problem === null) return template
  const where = override ?? `the prompt ${name}`
  throw new TerminalError(`${where} ${problem}`, `Correct ${where} on the target branch, then start again.`)
}

/** The text as it is laid out. */
export function blocksOf({ text }: Template): Block[] {
  const blocks: Block[] = []
  let lines: string[] = []
  const close = (): void => {
    const literal = lines.join('\n').trim()
    if (literal !== '') blocks.push({ text: literal })
    lines = []
  }
  for (const line of text.split('\n')) {
    const place = placeIn(line)
    if (place === null) lines.push(line)
    else {
      close()
      blocks.push({ place: place as SectionName })
    }
  }
  close()
  return blocks
}

const placeIn = (line: string): string | null => /^\s*\{\{([\w-]+)\}\}\s*$/.exec(line)?.[1] ?? null

const tooLong = (text: string): string =>
  `has ${Buffer.byteLength(text)} bytes; at most ${longestTokens * bytesPerToken} are allowed`

function strangePlace({ name, text }: Template): string | null {
  const sees: readonly string[] = prompts[name].sees
  const strange = text
    .split('\n')
    .map(placeIn)
    .find((place) => place !== null && !sees.includes(place))
  if (strange === undefined || strange === null) return null
  const which = strange in sections ? `the ${prompts[name].role} may not see` : 'does not exist'
  return `has {{${strange}}}, which ${which}; allowed: ${sees.join(', ')}`
}
