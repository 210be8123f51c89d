// What documents and messages tell people to type must exist.

export interface Page {
  path: string
  text: string
  /** Of a script: there a bare backtick begins a template, and only one inside of a string quotes a command. */
  code?: string
}

export interface Known {
  verbs: string[]
  flags: string[]
  scripts: string[]
}

/** Verbs and flags from the sources of the command line. */
export function knownCommands(cliSources: string[], packageJson: string): Known {
  const all = cliSources.join('\n')
  const verbs = [...all.matchAll(/\.command\(\s*['"`]([a-z-]+)/g)].map((found) => found[1]!)
  const flags = [...all.matchAll(/(--[a-z][a-z-]*)/g)].map((found) => found[1]!)
  const { scripts } = JSON.parse(packageJson) as { scripts: Record<string, string> }
  return { verbs: [...verbs, 'help'], flags: [...flags, '--help', '--version'], scripts: Object.keys(scripts) }
}

export function wrongCommands(pages: Page[], known: Known): string[] {
  return pages.flatMap(({ path, text, code = '' }) =>
    typed(text, code).flatMap((line) => {
      const problem = problemWith(line, known)
      return problem === null ? [] : [`${path}: \`${line}\`: ${problem}`]
    }),
  )
}

/** Lines of shell blocks, and `ropewalk …` or `npm …` between backticks. */
function typed(text: string, code: string): string[] {
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap((block) => block[1]!.split('\n'))
  const inline = [...text.matchAll(/`((?:ropewalk|npm) [^`\n]*?)\\?`/g)]
    .filter((found) => code.charAt(found.index) !== '`')
    .map((found) => found[1]!)
  return [...blocks.flatMap((line) => line.replace(/^\$ /, '').split(/\s&&\s|\s\|\s/)), ...inline]
    .map((line) => line.replace(/\s#.*$/, '').trim())
    .filter((line) => /^(?:npx )?ropewalk\b|^npm\b/.test(line))
}

function problemWith(line: string, known: Known): string | null {
  const script = /^npm run ([\w:-]+)/.exec(line)?.[1]
  if (script !== undefined) return known.scripts.includes(script) ? null : 'there is no such script'
  if (line.startsWith('npm test')) return known.scripts.includes('test') ? null : 'there is no such script'
  if (line.startsWith('npm ')) return null
  const verb = /ropewalk ([a-z-]+)/.exec(line)?.[1]
  if (verb !== undefined && !verb.startsWith('-') && !known.verbs.includes(verb)) return 'there is no such verb'
  const flag = [...unquoted(line).matchAll(/(?:^|\s)(--[a-z][a-z-]*)/g)].find(
    (found) => !known.flags.includes(found[1]!),
  )
  return flag === undefined ? null : `there is no ${flag[1]}`
}

const unquoted = (line: string): string => line.replace(/"[^"]*"|'[^']*'/g, '""')
