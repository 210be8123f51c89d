import type { PromptSource } from '../../delivery/events.ts'
import { TerminalError } from '../../ports/errors.ts'
import { hashOf } from '../../std/hash.ts'
import { plainText } from '../../std/text/plain-text.ts'
import {
  bytesPerToken,
  type PromptFile,
  type PromptName,
  prompts,
  promptTokens,
  type Section,
  type SectionName,
  sections,
} from './sections.ts'

/** What an agent is told, and files beside its workspace that hold what did not fit. */
export interface Prompt {
  role: string
  text: string
  files: PromptFile[]
  source: PromptSource
  shown: Shown[]
}

/** What is in it, and why. */
interface Shown {
  /** A section, or `task`: the prompt's own Markdown. */
  name: SectionName | 'task'
  title: string
  why: string
  tokens: number
  most: number
  /** Parts that are only in a file, or left out. */
  left: number
  file: string | null
}

export interface Setting {
  template: Template
  /** Where a file for the agent is written, by its name: the same name, the same path, whoever is told of it. */
  beside: (name: string) => string
  /** For `{{word}}` within the Markdown. */
  words: Record<string, string>
  /** What is known about the delivery, whoever is told; a section that is given by the same name takes its place. */
  shared: Section[]
  /** Where its answer is written. */
  result: string
  /** What its answer must name where it is about no commit. */
  nonce: string
}

/** What the table lets this one see of the sections, as its Markdown lays them out, each within its budget. */
export function assemble(name: PromptName, setting: Setting, given: Section[]): Prompt {
  const { role, isolation, sees } = prompts[name]
  const own = new Set(given.map((section) => section.name))
  const all = [...given, ...setting.shared.filter((section) => !own.has(section.name))]
  const isSeen = (section: SectionName): boolean => (sees as readonly SectionName[]).includes(section)
  const seen = all.filter((section) => isSeen(section.name) && section.parts.length > 0)
  const blocks = blocksOf(setting.template)
  const placed = new Set(blocks.flatMap((block) => ('place' in block ? [block.place] : [])))
  const rest = sees.filter((place) => !placed.has(place)).map((place) => ({ place }))
  const rendered = [...blocks, ...rest].flatMap((block) =>
    'text' in block
      ? [ownText(block.text, setting)]
      : seen.filter((section) => section.name === block.place).map((section) => render(section, role, setting)),
  )
  const { override, hash } = setting.template
  const shown = rendered.map(({ shown }) => shown)
  return {
    role,
    text: `${rendered.map(({ text }) => text).join('\n\n')}\n`,
    files: rendered.flatMap(({ files }) => files),
    source: { prompt: name, override, hash, isolation, sections: shown.map((one) => one.name) },
    shown,
  }
}

/** Whether all of it can be told. */
export const fitsPrompt = ({ name, parts }: Section): boolean =>
  withinBudget(parts, sections[name].tokens * bytesPerToken).length === parts.length

/** A further word in the same session: made of the same, and of nothing else. What was named before is still to be found. */
export const followUp = (prompt: Prompt, text: string): Prompt => ({ ...prompt, text })

interface Rendered {
  text: string
  files: PromptFile[]
  shown: Shown
}

function ownText(text: string, { template, words }: Setting): Rendered {
  const filled = text.replace(/\{\{(\w+)\}\}/g, (all, word: string) => words[word] ?? all)
  const why = template.override === null ? 'what this role is for' : `what this role is for, from ${template.override}`
  const about = { name: 'task' as const, title: /^#+ (.*)/.exec(text)?.[1] ?? 'its own words', why }
  const tokens = promptTokens(filled)
  return { text: filled, files: [], shown: { ...about, tokens, most: tokens, left: 0, file: null } }
}

function render(section: Section, role: string, { beside }: Setting): Rendered {
  const { name, title, parts, summary } = section
  const { over, why, tokens: most } = sections[name]
  const fitting = withinBudget(parts, most * bytesPerToken)
  const isLong = fitting.length < parts.length
  if (isLong && over === 'fails') throw tooLong(section, role)
  const whole = parts.join('\n\n')
  const file = isLong && over === 'file' ? { path: beside(`${name}-${hashOf(whole)}.md`), text: whole } : null
  const summed = file !== null && summary !== '' && promptTokens(summary) <= most
  // Behind a summary stands what matters most, as far as a quarter of the budget reaches: a file costs a look to open.
  const room = (most - promptTokens(summary)) * bytesPerToken - longestLeftText
  const first = summed ? withinBudget(parts, Math.min(room, (most * bytesPerToken) / 4)) : fitting
  const left = parts.length - first.length
  const where = file === null ? '' : `; read all of it in ${file.path}`
  const lines = [
    ...[`## ${title}`, ...(summed ? [summary] : []), ...first],
    ...(left > 0 ? [`(${left} of ${parts.length} left out for length${where})`] : []),
  ]
  const text = lines.join('\n\n')
  const files = [...section.files, ...(file === null ? [] : [file])]
  return { text, files, shown: { name, title, why, tokens: promptTokens(text), most, left, file: file?.path ?? null } }
}

/** The title, what is said to be left out, and where it is. */
const longestLeftText = 1_000

function withinBudget(parts: string[], bytes: number): string[] {
  let left = bytes
  const end = parts.findIndex((part) => {
    left -= Buffer.byteLength(part) + 2
    return left < 0
  })
  return end === -1 ? parts : parts.slice(0, end)
}

/** Nothing of it may be missing, and a prompt without a bound is none. */
function tooLong({ name, title, parts }: Section, role: string): TerminalError {
  const bytes = Buffer.byteLength(parts.join('\n\n'))
  const most = sections[name].tokens * bytesPerToken
  return new TerminalError(
    `the ${role} cannot be told all of "${title}": it has ${bytes} bytes, and at most ${most} are allowed`,
    name === 'constitution'
      ? 'Shorten the file that constitution names, on the target branch, then start again.'
      : 'Make it shorter, then go on.',
  )
}

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
  const problem =
    Buffer.byteLength(plain) > longestTokens * bytesPerToken ? longerThanAllowed(plain) : strangePlace(template)
  if (problem === null) return template
  const where = override ?? `the prompt ${name}`
  throw new TerminalError(`${where} ${problem}`, `Correct ${where} on the target branch, then start again.`)
}

/** Where a repository has none of its own. */
export const builtIn = (name: PromptName): Template => templateOf(name, prompts[name].text, null)

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

const longerThanAllowed = (text: string): string =>
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
