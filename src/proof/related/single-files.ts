// How a check's runner is asked to run single test files, where its owner did not say. Only what is surely known of it.
import { scriptsOf } from '../files/script-closure.ts'

export interface Typed {
  /** The check's own command. */
  run: string
  /** Files at the folder that it runs in: `package.json` and the settings of runners. */
  files: Readonly<Record<string, string>>
}

const deepest = 3

/** The command with `{files}` in it; null: nobody can say. */
export function singleFilesCommand({ run, files }: Typed): string | null {
  const before: string[] = []
  let words = wordsOf(run)
  for (let depth = 0; words !== null && depth <= deepest; depth++) {
    const recipe = recipeOf(words, files)
    if (recipe !== null) {
      if (recipe.needs !== '') before.push(`make ${recipe.needs} && `)
      words = wordsOf(recipe.line)
      continue
    }
    const called = scriptCalled(words)
    if (called === null) return commandOf(words, { files, before })
    const scripts = scriptsOf(files['package.json'] ?? null)
    const script = scripts[called.name]
    if (script === undefined || scripts[`post${called.name}`] !== undefined) return null
    if (scripts[`pre${called.name}`] !== undefined) before.push(`npm run -s pre${called.name} && `)
    const inner = wordsOf(script)
    words = inner === null ? null : [...inner, ...called.further]
  }
  return null
}

/** The command for single files, told to run only these tests where its runner takes all that stand in their folder. */
export function withOnlyTests(command: string, names: readonly string[]): string {
  const own = [...new Set(names.map((name) => name.split('/')[0]!))].filter((name) => /^\w+$/.test(name))
  const takesFolders = /\bgo test\b/.test(command) && !/\s--?run\b/.test(command)
  return takesFolders && own.length > 0
    ? command.replace(/\bgo test\b/, () => `go test -run '^(${own.join('|')})$'`)
    : command
}

/** The words of one plain command; null when a shell would do more with it, or it has variables of its own. */
function wordsOf(line: string): string[] | null {
  if (/[&|;<>$`\\()\n]/.test(line)) return null
  const words = [...line.matchAll(/"[^"]*"|'[^']*'|[^\s"']+/g)].map(([word]) => word)
  return words.length === 0 || /^\w+=|^cross-env$/.test(words[0]!) ? null : words
}

/** The one command that make types for a target, and what has to be made first; null: more is done than can be read off. */
function recipeOf(words: string[], files: Typed['files']): { line: string; needs: string } | null {
  const [tool, target, ...rest] = words.filter((word) => word !== '-s' && word !== '--silent')
  const text = files.GNUmakefile ?? files.makefile ?? files.Makefile
  if (tool !== 'make' || target === undefined || rest.length > 0 || text === undefined) return null
  if (
    !/^[\w-]+$/.test(target) ||
    /^ *(?:-?s?include|(?:un)?export|define|override|ifn?(?:eq|def)|\.[A-Z]+FLAGS|\.(?!PHONY)[A-Z]+|SHELL|MAKEFLAGS)\b/m.test(
      text,
    )
  )
    return null
  const rules = [...text.matchAll(new RegExp(`^${target}[ \\t]*:(?![:=])([ \\w./-]*)\\n((?:\\t.*\\n?)+)`, 'gm'))]
  const named = new RegExp(`^(?!\\.PHONY)(?:[^\\t#:=\\n]* )?${target}(?: [^:=\\n]*)?:(?!=)`, 'gm')
  if (rules.length !== 1 || text.match(named)?.length !== 1) return null
  const [, needs, recipe] = rules[0] as unknown as [string, string, string]
  const [first, ...more] = recipe.split('\n').filter((line) => line.trim() !== '')
  const line = first!.replace(/^\t\s*@?/, '')
  return more.length === 0 && /^\w/.test(line) ? { line, needs: needs.trim() } : null
}

/** Which script of the package is called, and what is added to it. */
function scriptCalled(words: string[]): { name: string; further: string[] } | null {
  const [tool, ...rest] = words.filter((word) => word !== '-s' && word !== '--silent')
  if (tool === undefined || !['npm', 'yarn', 'pnpm', 'bun'].includes(tool)) return null
  const isRun = rest[0] === 'run' || rest[0] === 'run-script'
  const name = isRun ? rest[1] : rest[0]
  if (name === undefined || name.startsWith('-') || (!isRun && /^(?:exec|x|dlx)$/.test(name))) return null
  const further = rest.slice(isRun ? 2 : 1).filter((word) => word !== '--')
  return { name: !isRun && (name === 't' || name === 'tst') ? 'test' : name, further }
}

interface Around {
  files: Typed['files']
  /** What has to be done first. */
  before: string[]
}

function commandOf(words: string[], { files, before }: Around): string | null {
  const own = withoutLauncher(words)
  const runner = runners.find(({ sign }) => sign.test(own.join(' ')))
  if (runner === undefined) return null
  const taken = runner.sign.exec(own.join(' '))![0].split(' ').length
  const { flags } = optionsOf(own.slice(taken), runner.valued)
  if (flags.some(watches)) return null
  const line = runner.make(flags, { files, program: own.slice(0, taken) })
  return line === null ? null : `${before.join('')}${line}`
}

const watches = (flag: string): boolean => /^--?(?:w|watch|watchAll|ui)(?:=|$)/.test(flag)

const withoutLauncher = (words: string[]): string[] => {
  const at = words.findIndex((word) => !/^(?:npx|bunx|pnpm|yarn|exec|--no-install|--no|-y|uv|poetry|run)$/.test(word))
  return words.slice(Math.max(0, at))
}

/** Options, and what else is said, which names files. A threshold for all tests is no threshold for some of them. */
function optionsOf(words: string[], valued: RegExp): { flags: string[]; others: string[] } {
  const [flags, others]: string[][] = [[], []]
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (!word.startsWith('-')) others!.push(word)
    else if (valued.test(word) && words[at + 1] !== undefined) flags!.push(`${word} ${words[++at]}`)
    else flags!.push(word)
  }
  return { flags: flags!.filter((flag) => !/coverage|^--cov/i.test(flag)), others: others! }
}

interface KnownRunner {
  /** How its call begins. */
  sign: RegExp
  /** Options that take the word after them. */
  valued: RegExp
  make(flags: string[], given: { files: Typed['files']; program: string[] }): string | null
}

const line = (...words: string[]): string => words.filter((word) => word !== '').join(' ')

/** As scripts of a package find their programs: in its own folder, those around it, and then wherever they are. */
const installed = 'PATH="$PWD/node_modules/.bin:$PWD/../node_modules/.bin:$PWD/../../node_modules/.bin:$PATH"'

const runners: KnownRunner[] = [
  {
    sign: /^node(?= .*--test\b)/,
    valued: /^(?:-r|--(?:require|import|loader|experimental-loader|test-reporter|test-reporter-destination|env-file))$/,
    make: (flags) => line('node', ...flags, '{files}'),
  },
  {
    sign: /^vitest(?: run)?(?=$| -| [^ ]*[./*])/,
    valued: /^(?:-c|--(?:config|root|dir|project|environment|pool|mode|testTimeout|reporter))$/,
    make: (flags) => line(installed, 'vitest run', ...flags, '{files}'),
  },
  {
    sign: /^jest\b/,
    valued: /^(?:-c|--(?:config|rootDir|env|maxWorkers|testTimeout)|-w)$/,
    make: (flags) => line(installed, 'jest', ...flags, '--runTestsByPath {files}'),
  },
  {
    sign: /^mocha\b/,
    valued: /^(?:-r|-t|-u|-n|-R|--(?:require|timeout|ui|config|extension|file|import|node-option|package|reporter))$/,
    make: (flags, { files }) => (namesFiles(files) ? null : line(installed, 'mocha', ...flags, '{files}')),
  },
  {
    sign: /^(?:python[\d.]* -m )?pytest\b/,
    valued: /^(?:-c|-k|-m|-p|-n|-o|-r|--(?:rootdir|confcutdir|maxfail|timeout|tb))$/,
    make: (flags, { program }) => line(...program, ...flags, '{files}'),
  },
  {
    sign: /^python[\d.]* -m unittest(?: discover)?\b/,
    valued: /^(?:-s|-p|-t|-k|--(?:start-directory|pattern|top-level-directory))$/,
    make: (_, { program }) => line(...program.slice(0, 3), '{files}'),
  },
  {
    sign: /^go test\b/,
    valued: /^-(?:run|tags|timeout|count|p|parallel|cpu|mod|ldflags|gcflags|shuffle)$/,
    make: (flags) => line('for f in {files}; do dirname "./$f"; done | sort -u | xargs go test', ...flags),
  },
  {
    sign: /^cargo (?:test|t)\b/,
    valued: /^(?:-p|--(?:package|features|profile|target|jobs|manifest-path))$/,
    make: (flags) =>
      flags.includes('--lib') || flags.includes('--')
        ? null
        : line(`for f in {files}; do basename "$f" .rs; done | sed 's/^/--test=/' | xargs cargo test`, ...flags),
  },
]

/** Files that are named in mocha's settings would run besides those that are asked for. */
const namesFiles = (files: Typed['files']): boolean =>
  Object.entries(files).some(
    ([path, text]) => /^(?:\.mocharc\.|package\.json$)/.test(path) && /["']?\bspec["']?\s*:/.test(text),
  )

interface TestScript {
  script: string
  /** Names of the packages that it depends on. */
  packages: string[]
  /** Files at the root. */
  files: Typed['files']
  /** How the package tool runs the script with further arguments, and a program of the package. */
  tool: { test: string; separator: string; exec: string }
}

const report = '"$ROPEWALK_REPORT"'

/** How a test script of package.json is made to leave a report: by which options, unless it has such options itself. */
const reporters: Record<string, { report: string; own: RegExp; call: string; files: string }> = {
  vitest: {
    report: `--reporter=default --reporter=json --outputFile.json=${report}`,
    own: /^--(?:reporter|outputFile)/,
    call: 'vitest run',
    files: '{files}',
  },
  jest: {
    report: `--json --outputFile=${report}`,
    own: /^--(?:json|outputFile|reporters)/,
    call: 'jest',
    files: '--runTestsByPath {files}',
  },
  mocha: {
    report: `--reporter json --reporter-option output=${report}`,
    own: /^(?:-R|--reporter)/,
    call: 'mocha',
    files: '{files}',
  },
}

/** The commands for a runner that we know, for all tests and for single files; null: the script is left as it is. */
export function testCommands(asked: TestScript): { run: string; related: string | null } | null {
  const { script, packages, files, tool } = asked
  const [name = '', ...words] = wordsOf(script.replace(/^\s*(?:npx\s+)+/, '')) ?? []
  const runner = runners.find(({ sign }) => sign.test(name === 'node' ? 'node --test' : name))
  if (runner === undefined || !(name === 'node' || packages.includes(name))) return null
  const { flags, others } = optionsOf(words, runner.valued)
  if (flags.some(watches)) return null
  // What it prints by itself tells all.
  if (name === 'node')
    return flags.includes('--test') ? { run: tool.test, related: runner.make(flags, { files, program: [] }) } : null
  const reporter = reporters[name]
  const isOther = name === 'vitest' && others[0] !== undefined && others[0] !== 'run'
  if (reporter === undefined || isOther || flags.some((flag) => reporter.own.test(flag))) return null
  const alone = line(tool.exec, reporter.call, ...flags, reporter.report, reporter.files)
  const isFixed = name === 'mocha' ? namesFiles(files) : others.length > (name === 'vitest' ? 1 : 0)
  return { run: `${tool.test} ${tool.separator}${reporter.report}`, related: isFixed ? null : alone }
}

const longestLine = 100_000

/** The command with the files in the place of `{files}`; null when the line would be too long for a shell. */
export function commandFor(related: string, files: readonly string[]): string | null {
  const line = related.replaceAll('{files}', () => files.map(quoted).join(' '))
  return Buffer.byteLength(line) > longestLine ? null : line
}

/** Whatever is in the name, one word for a POSIX shell, and never an option. */
function quoted(path: string): string {
  const name = path.startsWith('-') ? `./${path}` : path
  return /^[\w./@%+=:,-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`
}

const programs: [program: RegExp, files: RegExp][] = [
  [/\b(?:pytest|python[\d.]*|unittest|tox|nose2?)\b/, /\.py$/],
  [/\bgo(?:testsum)?\b/, /\.go$/],
  [/\bcargo\b/, /\.rs$/],
  [
    /\b(?:node|npm|npx|pnpm|yarn|bun|bunx|deno|tsx|vitest|jest|mocha|ava|tap|playwright|cypress)\b/,
    /\.(?:[cm]?[jt]sx?|vue|svelte)$/,
  ],
]

/** Which files a command can run, by the programs that it names; any file where it names none that we know. */
export function runnableBy(command: string): (path: string) => boolean {
  const known = programs.filter(([program]) => program.test(command)).map(([, files]) => files)
  return (path) => known.length === 0 || known.some((files) => files.test(path))
}
