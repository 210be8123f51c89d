// How a test script of package.json is made to leave a report, and to run single files. Only what is surely known of it.

interface TestScript {
  script: string
  /** Names of the packages that it depends on. */
  packages: string[]
  /** Files at the root. */
  files: Record<string, string>
  /** How the package tool runs the script with further arguments, and a program of the package. */
  tool: { test: string; separator: string; exec: string }
}

interface Proposed {
  run: string
  related: string | null
}

/** The commands for a runner that we know; null: the script is left as it is. */
export function testCommands(asked: TestScript): Proposed | null {
  const words = wordsOf(asked.script)
  const runner = words === null ? undefined : runners.find(({ name }) => name === words[0])
  if (words === null || runner === undefined) return null
  const isThere = runner.name === 'node' || asked.packages.includes(runner.name)
  const options = optionsOf(words.slice(1), runner.valued)
  if (!isThere || options.flags.some((flag) => /^--?(?:w|watch|watchAll|ui)(?:=|$)/.test(flag))) return null
  return runner.propose(asked, options)
}

interface Options {
  flags: string[]
  /** Words that are no options: files, patterns, verbs. */
  others: string[]
}

interface KnownRunner {
  name: string
  /** Options that take the word after them. */
  valued: RegExp
  propose(asked: TestScript, options: Options): Proposed | null
}

const report = '"$ROPEWALK_REPORT"'
const withReport = ({ tool }: TestScript, options: string): string => `${tool.test} ${tool.separator}${options}`
const line = (...words: string[]): string => words.filter((word) => word !== '').join(' ')
const has = (flags: string[], sign: RegExp): boolean => flags.some((flag) => sign.test(flag))

const runners: KnownRunner[] = [
  {
    name: 'vitest',
    valued: /^(?:-c|--(?:config|root|dir|project|environment|pool|mode|testTimeout))$/,
    propose(asked, { flags, others }) {
      if (has(flags, /^--(?:reporter|outputFile)/) || (others[0] !== undefined && others[0] !== 'run')) return null
      const json = `--reporter=default --reporter=json --outputFile.json=${report}`
      const alone = line(asked.tool.exec, 'vitest run', ...uncovered(flags), json, '{files}')
      return { run: withReport(asked, json), related: others.length > 1 ? null : alone }
    },
  },
  {
    name: 'jest',
    valued: /^(?:-c|--(?:config|rootDir|env|maxWorkers|testTimeout)|-w)$/,
    propose(asked, { flags, others }) {
      if (has(flags, /^--(?:json|outputFile|reporters)/)) return null
      const json = `--json --outputFile=${report}`
      const alone = line(asked.tool.exec, 'jest', ...uncovered(flags), json, '--runTestsByPath {files}')
      return { run: withReport(asked, json), related: others.length > 0 ? null : alone }
    },
  },
  {
    name: 'mocha',
    valued: /^(?:-r|-t|-u|-n|--(?:require|timeout|ui|config|extension|file|import|node-option|package))$/,
    propose(asked, { flags }) {
      if (has(flags, /^(?:-R|--reporter)/)) return null
      const json = `--reporter json --reporter-option output=${report}`
      const settings = Object.entries(asked.files).filter(([path]) => /^(?:\.mocharc\.|package\.json$)/.test(path))
      // Files that are named in its settings would run besides those that are asked for.
      const fixed = settings.some(([, text]) => /["']?\bspec["']?\s*:/.test(text))
      const alone = line(asked.tool.exec, 'mocha', ...flags, json, '{files}')
      return { run: withReport(asked, json), related: fixed ? null : alone }
    },
  },
  {
    name: 'node',
    valued: /^(?:-r|--(?:require|import|loader|experimental-loader|test-reporter|test-reporter-destination|env-file))$/,
    propose({ tool }, { flags }) {
      if (!flags.includes('--test')) return null
      // What it prints by itself tells all.
      return { run: tool.test, related: line('node', ...uncovered(flags), '{files}') }
    },
  },
]

/** A threshold for all tests is no threshold for some of them. */
const uncovered = (flags: string[]): string[] => flags.filter((flag) => !/coverage/i.test(flag))

/** The words of one plain command, without variables before it; null when a shell would do more with it. */
function wordsOf(script: string): string[] | null {
  if (/[&|;<>$`\\()\n]/.test(script)) return null
  const words = [...script.matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+/g)].map((found) => found[0])
  const start = words.findIndex((word) => !/^(?:cross-env|npx|\w+=\S*)$/.test(word))
  // With variables it is not the same command without them.
  return start > 0 && words.slice(0, start).some((word) => word !== 'npx') ? null : words.slice(Math.max(0, start))
}

function optionsOf(words: string[], valued: RegExp): Options {
  const options: Options = { flags: [], others: [] }
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (!word.startsWith('-')) options.others.push(word)
    else if (valued.test(word) && words[at + 1] !== undefined) options.flags.push(`${word} ${words[++at]}`)
    else options.flags.push(word)
  }
  return options
}
