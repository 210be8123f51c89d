// What documents and messages tell people to type must exist.
import type { Command } from 'commander'

export interface Page {
  path: string
  text: string
  /** Of a script: there a bare backtick begins a template, and only one inside of a string quotes a command. */
  code?: string
}

export interface Known {
  verbs: Map<string, KnownVerb>
  scripts: string[]
}

interface KnownVerb {
  flags: string[]
  required: string[]
  /** Flags that a word follows, long and short. */
  valued: string[]
  /** How many words it takes. */
  least: number
  most: number
}

export function knownCommands(program: Command, packageJson: string): Known {
  const verbs = program.commands.map((verb): [string, KnownVerb] => [verb.name(), knownVerb(verb)])
  const { scripts } = JSON.parse(packageJson) as { scripts: Record<string, string> }
  const help = { flags: [], required: [], valued: [], least: 0, most: 1 }
  return { verbs: new Map([...verbs, ['help', help]]), scripts: Object.keys(scripts) }
}

const knownVerb = ({ options, registeredArguments }: Command): KnownVerb => ({
  flags: ['--help', ...options.flatMap((option) => option.long ?? [])],
  required: options.filter((option) => option.mandatory).flatMap((option) => option.long ?? []),
  valued: options.filter(({ required }) => required).flatMap(({ long, short }) => [long ?? [], short ?? []].flat()),
  least: registeredArguments.filter(({ required }) => required).length,
  most: registeredArguments.length,
})

export function wrongCommands(pages: Page[], known: Known): string[] {
  return pages.flatMap(({ path, text, code = '' }) =>
    [...blocks(text), ...quoted(text, code)].flatMap((line) => {
      const problem = problemWith(line, known)
      return problem === null ? [] : [`${path}: \`${line}\`: ${problem}`]
    }),
  )
}

/** Lines of shell blocks are whole commands. */
function blocks(text: string): string[] {
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)]
    .flatMap((block) => block[1]!.split('\n'))
    .map((line) => line.replace(/^\$ /, '').replace(/\s#.*$/, ''))
    .flatMap((line) => line.split(/\s&&\s|\s[|>]\s/))
    .map((line) => `${line.trim()} `)
    .filter((line) => /^(?:ropewalk|npm) /.test(line))
}

/** Between backticks, and perhaps without what a whole command needs. */
function quoted(text: string, code: string): string[] {
  return [...text.matchAll(/`((?:ropewalk|npm) [^`\n]*?)\\?`/g)]
    .filter((found) => code.charAt(found.index) !== '`')
    .map((found) => found[1]!)
}

function problemWith(line: string, known: Known): string | null {
  const script = /^npm (?:run (?:--\S+ )*)?([\w:-]+)/.exec(line)?.[1]
  if (script !== undefined) return isScript(line, script, known) ? null : 'there is no such script'
  const name = /^ropewalk ([a-z]+)/.exec(line)?.[1]
  if (name === undefined) return null
  const verb = known.verbs.get(name)
  if (verb === undefined) return 'there is no such verb'
  const given = flagsIn(line)
  const unknown = given.find((flag) => !verb.flags.includes(flag))
  if (unknown !== undefined) return `it has no ${unknown}`
  const isWhole = line.endsWith(' ')
  const missing = verb.required.find((flag) => isWhole && !given.includes(flag))
  if (missing !== undefined) return `it needs ${missing}`
  const words = wordsIn(line, verb)
  if (words > verb.most) return `it takes ${verb.most === 0 ? 'no word' : `at most ${verb.most}`}`
  return isWhole && words < verb.least ? `it needs ${verb.least}` : null
}

/** What follows the verb, without flags and what belongs to them; a remark stands apart. */
function wordsIn(line: string, { valued }: KnownVerb): number {
  const words = line
    .replace(/\$\{[^}]*\}|"[^"]*"|'[^']*'|<[^>]*>/g, 'x')
    .trim()
    .split(/\s{3,}/)[0]!
    .split(/\s+/)
    .slice(2)
  return words.filter((word, index) => !word.startsWith('-') && !valued.includes(words[index - 1] ?? '')).length
}

/** `npm test` is a script too; `npm ci` and the like are npm's own. */
const isScript = (line: string, script: string, known: Known): boolean =>
  known.scripts.includes(script) || !(line.startsWith('npm run') || script === 'test')

const flagsIn = (line: string): string[] =>
  [...line.replace(/"[^"]*"|'[^']*'/g, '""').matchAll(/(?<=\s)--[a-z][a-z-]*/g)].map((found) => found[0])
