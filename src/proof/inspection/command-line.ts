// What a shell line executes, as far as words tell: package scripts, script files, named configurations.
import { join } from './change.ts'

export type Executed =
  | { kind: 'script'; folder: string; name: string }
  | { kind: 'script-anywhere'; name: string }
  | { kind: 'file'; path: string }
  | { kind: 'config'; path: string }

export function readCommand(line: string, folder: string): Executed[] {
  const executed: Executed[] = []
  let here = folder
  for (const part of line.split(/&&|\|\||[;|&\n()]/)) {
    const words = part
      .replace(/["'`]/g, ' ')
      .trim()
      .split(/\s+/)
      .filter((word) => word !== '')
    if (words[0] === 'cd' && words[1] !== undefined) here = join(here, words[1])
    else executed.push(...readWords(words, here))
  }
  return executed
}

function readWords(words: string[], folder: string): Executed[] {
  return [
    ...packageScripts(words, folder),
    ...buildFiles(words, folder),
    ...scriptFiles(words, folder),
    ...namedConfigs(words, folder),
  ]
}

const managers = new Set(['npm', 'pnpm', 'yarn', 'bun'])
const lists = new Set(['npm-run-all', 'npm-run-all2', 'run-s', 'run-p'])
const installs = new Set(['ci', 'install', 'i', 'clean-install', 'install-test', 'it', 'cit'])
const installScripts = ['preinstall', 'install', 'postinstall', 'prepublish', 'prepare']
const ownVerbs = new Set(['exec', 'x', 'dlx', 'audit', 'version', 'config', 'add', 'pack', 'publish', 'workspace'])

function packageScripts(words: string[], folder: string): Executed[] {
  const executed: Executed[] = words
    .filter((word) => /^(?:npm|yarn|pnpm|bun):/.test(word))
    .map((word) => ({ kind: 'script', folder, name: word.slice(word.indexOf(':') + 1) }))
  words.forEach((word, at) => {
    const rest = words.slice(at + 1)
    if (lists.has(word))
      for (const name of rest.filter((one) => !one.startsWith('-'))) executed.push({ kind: 'script', folder, name })
    if (managers.has(word)) executed.push(...managerScripts(word, rest, folder))
    if (word === 'turbo' || word === 'nx' || word === 'lerna')
      for (const name of rest.filter((one) => /^[\w:-]+$/.test(one) && !one.startsWith('-') && one !== 'run'))
        executed.push({ kind: 'script-anywhere', name })
  })
  return executed
}

function managerScripts(manager: string, rest: string[], folder: string): Executed[] {
  const elsewhere = flagValue(rest, ['--prefix', '-C', '--cwd', '--dir'])
  const here = elsewhere === null ? folder : join(folder, elsewhere)
  const many = rest.some((word) => /^(?:-w|-ws|-r|--workspaces?|--filter|--recursive)(?:=|$)|^-F$/.test(word))
  const plain = rest.filter((word) => !word.startsWith('-') && word !== elsewhere)
  const run = plain.findIndex((word) => word === 'run' || word === 'run-script')
  const verb = run === -1 ? plain[0] : plain[run + 1]
  const script = (name: string): Executed =>
    many ? { kind: 'script-anywhere', name } : { kind: 'script', folder: here, name }
  if (verb === undefined) return manager === 'yarn' ? installScripts.map(script) : []
  if (run !== -1) return [script(verb)]
  if (verb === 'install-test' || verb === 'it' || verb === 'cit') return [...installScripts, 'test'].map(script)
  if (installs.has(verb)) return installScripts.map(script)
  if (verb === 't' || verb === 'tst') return [script('test')]
  if (manager === 'npm') return ['test', 'start', 'stop', 'restart'].includes(verb) ? [script(verb)] : []
  if (verb === 'workspaces' && plain[1] === 'foreach')
    return plain.slice(2).map((name) => ({ kind: 'script-anywhere', name }))
  return ownVerbs.has(verb) ? [] : [script(verb)]
}

const toolFiles: Record<string, string[]> = {
  make: ['Makefile', 'makefile', 'GNUmakefile'],
  gmake: ['Makefile', 'makefile', 'GNUmakefile'],
  just: ['justfile', 'Justfile', '.justfile'],
  task: ['Taskfile.yml', 'Taskfile.yaml'],
  rake: ['Rakefile'],
  turbo: ['turbo.json'],
  nx: ['nx.json'],
  lerna: ['lerna.json'],
  tox: ['tox.ini'],
  nox: ['noxfile.py'],
}

function buildFiles(words: string[], folder: string): Executed[] {
  return words.flatMap((word, at) => {
    const elsewhere = flagValue(words.slice(at + 1), ['-C', '--directory'])
    const own = Object.hasOwn(toolFiles, word) ? toolFiles[word]! : []
    const named = own.length === 0 ? null : flagValue(words.slice(at + 1), ['-f', '--file', '--makefile', '--justfile'])
    return [...own, ...(named === null ? [] : [named])].map((name) => ({
      kind: 'config' as const,
      path: join(elsewhere === null ? folder : join(folder, elsewhere), name),
    }))
  })
}

const interpreters =
  /^(?:(?:.*\/)?(?:node|nodejs|deno|bun|tsx|ts-node|sh|bash|zsh|dash|python|python3|ruby|perl|php|pwsh)|\.|source)$/

/** The command itself where it is a path, and the first file after an interpreter. */
function scriptFiles(words: string[], folder: string): Executed[] {
  const executed: Executed[] = []
  const first = words.find((word) => !/^\w+=/.test(word) && !/^(?:exec|env|time|nice|cross-env|!)$/.test(word))
  if (first !== undefined && /\//.test(first)) executed.push({ kind: 'file', path: join(folder, first) })
  words.forEach((word, at) => {
    if (!interpreters.test(word)) return
    const file = words.slice(at + 1).find((one) => !one.startsWith('-') && /[./]/.test(one))
    if (file !== undefined) executed.push({ kind: 'file', path: join(folder, file) })
  })
  return executed
}

const configFlag =
  /^(?:-c|-r|-p|--config|--configuration|--rcfile|--settings|--import|--require|--loader|--experimental-loader|--project|--setup-file|--setupFiles|--test-reporter|--reporter|--ignore-path|--env-file)$/

function namedConfigs(words: string[], folder: string): Executed[] {
  return words.flatMap((word, at) => {
    const [flag, inline] = word.includes('=')
      ? [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]
      : [word, null]
    const value = inline ?? words[at + 1]
    if (!configFlag.test(flag) || value === undefined || value.startsWith('-')) return []
    return [{ kind: 'config' as const, path: join(folder, value) }]
  })
}

function flagValue(words: string[], flags: string[]): string | null {
  for (const [at, word] of words.entries())
    for (const flag of flags) {
      if (word === flag) return words[at + 1] ?? null
      if (flag.startsWith('--') && word.startsWith(`${flag}=`)) return word.slice(flag.length + 1)
    }
  return null
}
