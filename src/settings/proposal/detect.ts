// What a repository's own files say about how it is checked. Nothing is assumed that they do not say.

/** Files by path; only those at the repository's root matter. */
export type RootFiles = Record<string, string>

export interface Detected {
  stacks: string[]
  checks: { name: string; run: string; fix: string | null }[]
  setup: string | null
}

export function detectStack(files: RootFiles): Detected {
  const found = [node(files), python(files), go(files), rust(files)].filter((stack) => stack !== null)
  const stacks = found.length === 0 ? [make(files)].filter((stack) => stack !== null) : found
  const setups = stacks.map((stack) => stack.setup).filter((setup) => setup !== null)
  return {
    stacks: stacks.map((stack) => stack.name),
    checks: withUniqueNames(stacks),
    setup: setups.length === 0 ? null : setups.join(' && '),
  }
}

interface Stack {
  name: string
  setup: string | null
  checks: Detected['checks']
}

/** Two stacks that both have a `test` become `test` and `go-test`. */
function withUniqueNames(stacks: Stack[]): Detected['checks'] {
  const checks: Detected['checks'] = []
  for (const stack of stacks)
    for (const check of stack.checks) {
      const taken = checks.some((other) => other.name === check.name)
      checks.push(taken ? { ...check, name: `${stack.name}-${check.name}` } : check)
    }
  return checks
}

const has = (files: RootFiles, path: string): boolean => Object.hasOwn(files, path)

function node(files: RootFiles): Stack | null {
  if (!has(files, 'package.json')) return null
  const { scripts, needsInstall } = packageFacts(files['package.json']!)
  const tool = packageTool(files)
  const checks: Detected['checks'] = []
  for (const name of ['lint', 'typecheck', 'types', 'build'])
    if (scripts[name] !== undefined) checks.push({ name, run: `${tool.run} ${name}`, fix: fixOf(name, scripts, tool) })
  if (scripts.test !== undefined && !/no test specified/.test(scripts.test))
    checks.push({ name: 'test', run: tool.test, fix: null })
  return { name: 'node', setup: needsInstall ? tool.install : null, checks }
}

interface Tool {
  run: string
  test: string
  install: string
  /** What npm needs before arguments for the script. */
  separator: string
}

function packageTool(files: RootFiles): Tool {
  if (has(files, 'pnpm-lock.yaml'))
    return { run: 'pnpm run', test: 'pnpm test', install: 'pnpm install --frozen-lockfile', separator: '' }
  if (has(files, 'yarn.lock')) {
    const frozen = has(files, '.yarnrc.yml') ? '--immutable' : '--frozen-lockfile'
    return { run: 'yarn run', test: 'yarn test', install: `yarn install ${frozen}`, separator: '' }
  }
  const locked = has(files, 'package-lock.json') || has(files, 'npm-shrinkwrap.json')
  return { run: 'npm run', test: 'npm test', install: locked ? 'npm ci' : 'npm install', separator: '-- ' }
}

function fixOf(name: string, scripts: Record<string, string>, tool: Tool): string | null {
  if (name !== 'lint') return null
  const own = ['lint:fix', 'lint-fix', 'fix'].find((script) => scripts[script] !== undefined)
  if (own !== undefined) return `${tool.run} ${own}`
  const script = scripts.lint!
  if (/[&|;]/.test(script)) return null
  if (/\beslint\b/.test(script)) return `${tool.run} lint ${tool.separator}--fix`
  if (/\bbiome (?:check|lint)\b/.test(script)) return `${tool.run} lint ${tool.separator}--write`
  return null
}

/** A package.json that cannot be read tells nothing; the check that needs it will say so itself. */
function packageFacts(text: string): { scripts: Record<string, string>; needsInstall: boolean } {
  const manifest = asObject(parsed(text))
  const scripts = Object.entries(asObject(manifest.scripts)).filter(([, script]) => typeof script === 'string')
  const lists = ['dependencies', 'devDependencies', 'workspaces'].map((key) => Object.keys(asObject(manifest[key])))
  return {
    scripts: Object.fromEntries(scripts) as Record<string, string>,
    needsInstall: lists.some((list) => list.length > 0),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const asObject = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {}

function python(files: RootFiles): Stack | null {
  const markers = ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'pytest.ini', 'tox.ini']
  if (!markers.some((path) => has(files, path))) return null
  const text = ['pyproject.toml', 'setup.cfg', 'tox.ini', 'requirements.txt', 'requirements-dev.txt']
    .map((path) => files[path] ?? '')
    .join('\n')
  const checks: Detected['checks'] = []
  if (/\[tool\.ruff/.test(text) || has(files, 'ruff.toml'))
    checks.push({ name: 'lint', run: 'ruff check .', fix: 'ruff check --fix .' })
  if (has(files, 'pytest.ini') || has(files, 'conftest.py') || /\bpytest\b/.test(text))
    checks.push({ name: 'test', run: 'python -m pytest', fix: null })
  return { name: 'python', setup: has(files, 'uv.lock') ? 'uv sync --frozen' : null, checks }
}

function go(files: RootFiles): Stack | null {
  if (!has(files, 'go.mod')) return null
  const checks = [
    { name: 'vet', run: 'go vet ./...', fix: null },
    { name: 'test', run: 'go test ./...', fix: null },
  ]
  return { name: 'go', setup: null, checks }
}

function rust(files: RootFiles): Stack | null {
  if (!has(files, 'Cargo.toml')) return null
  return { name: 'rust', setup: null, checks: [{ name: 'test', run: 'cargo test', fix: null }] }
}

function make(files: RootFiles): Stack | null {
  const text = files.Makefile ?? files.makefile ?? files.GNUmakefile
  if (text === undefined) return null
  const targets = ['lint', 'test', 'check'].filter((target) => new RegExp(`^${target}\\s*:(?!=)`, 'm').test(text))
  const wanted = targets.includes('test') ? targets.filter((target) => target !== 'check') : targets
  return { name: 'make', setup: null, checks: wanted.map((name) => ({ name, run: `make ${name}`, fix: null })) }
}
