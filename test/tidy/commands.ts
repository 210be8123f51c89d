// What documents and messages tell people to type must exist.
import type { Command } from 'commander'

export interface Page {
  path: string
  text: string
  /** Of a script: there a bare backtick begins a template, and only one inside of a string quotes a command. */
  code?: string
}

export interface Known {
  verbs: Map<string, { flags: string[]; required: string[] }>
  scripts: string[]
}

export function knownCommands(program: Command, packageJson: string): Known {
  const verbs = program.commands.map((verb): [string, { flags: string[]; required: string[] }] => [
    verb.name(),
    {
      flags: ['--help', ...verb.options.flatMap((option) => option.long ?? [])],
      required: verb.options.filter((option) => option.mandatory).flatMap((option) => option.long ?? []),
    },
  ])
  const { scripts } = JSON.parse(packageJson) as { scripts: Record<string, string> }
  return { verbs: new Map([...verbs, ['help', { flags: [], required: [] }]]), scripts: Object.keys(scripts) }
}

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
  const missing = verb.required.find((flag) => line.endsWith(' ') && !given.includes(flag))
  return missing === undefined ? null : `it needs ${missing}`
}

/** `npm test` is a script too; `npm ci` and the like are npm's own. */
const isScript = (line: string, script: string, known: Known): boolean =>
  known.scripts.includes(script) || !(line.startsWith('npm run') || script === 'test')

const flagsIn = (line: string): string[] =>
  [...line.replace(/"[^"]*"|'[^']*'/g, '""').matchAll(/(?<=\s)--[a-z][a-z-]*/g)].map((found) => found[0])
