// What a repository's own files say about how it is checked. Nothing is assumed that they do not say.
import { objectOf, parseJson } from '../../std/json.ts'
import { testCommands } from './single-files.ts'

/** Files by path; only those at the repository's root matter. */
export type RootFiles = Record<string, string>

export interface Detected {
  stacks: string[]
  checks: DetectedCheck[]
  setup: string | null
}

export interface DetectedCheck {
  name: string
  run: string
  fix: string | null
  /** For single test files. */
  related: string | null
  /** Of one that runs no test nothing but the exit code tells. */
  parser: 'auto' | 'exit-code'
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
  checks: DetectedCheck[]
}

/** Two stacks that both have a `test` become `test` and `go-test`. */
function withUniqueNames(stacks: Stack[]): DetectedCheck[] {
  const checks: DetectedCheck[] = []
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
  const { scripts, packages, needsInstall } = packageFacts(files['package.json']!)
  const tool = packageTool(files)
  const checks: DetectedCheck[] = []
  for (const name of ['lint', 'typecheck', 'types', 'build'])
    if (scripts[name] !== undefined)
      checks.push(check(name, `${tool.run} ${name}`, { fix: fixOf(name, scripts, tool) }))
  if (scripts.test !== undefined && !/no test specified/.test(scripts.test)) {
    const known = testCommands({ script: scripts.test, packages, files, tool })
    checks.push(check('test', known?.run ?? tool.test, { related: known?.related ?? null }))
  }
  return { name: 'node', setup: needsInstall ? tool.install : null, checks }
}

const check = (name: string, run: string, more: Partial<DetectedCheck> = {}): DetectedCheck => ({
  name,
  run,
  fix: null,
  related: null,
  parser: /^(?:lint|typecheck|types|build|vet)$/.test(name) ? 'exit-code' : 'auto',
  ...more,
})

interface Tool {
  run: string
  test: string
  install: string
  /** Runs a program that the package depends on. */
  exec: string
  /** What npm needs before arguments for the script. */
  separator: string
}

function packageTool(files: RootFiles): Tool {
  const called = (name: string) => ({ run: `${name} run`, test: `${name} test`, separator: '' })
  if (has(files, 'pnpm-lock.yaml'))
    return { ...called('pnpm'), install: 'pnpm install --frozen-lockfile', exec: 'pnpm exec' }
  const frozen = has(files, '.yarnrc.yml') ? '--immutable' : '--frozen-lockfile'
  if (has(files, 'yarn.lock')) return { ...called('yarn'), install: `yarn install ${frozen}`, exec: 'yarn run' }
  const locked = has(files, 'package-lock.json') || has(files, 'npm-shrinkwrap.json')
  return { ...called('npm'), install: locked ? 'npm ci' : 'npm install', exec: 'npx', separator: '-- ' }
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

interface PackageFacts {
  scripts: Record<string, string>
  packages: string[]
  needsInstall: boolean
}

/** A package.json that cannot be read tells nothing; the check that needs it will say so itself. */
function packageFacts(text: string): PackageFacts {
  const manifest = objectOf(parseJson(text))
  const scripts = Object.entries(objectOf(manifest.scripts)).filter(([, script]) => typeof script === 'string')
  const lists = ['dependencies', 'devDependencies', 'workspaces'].map((key) => Object.keys(objectOf(manifest[key])))
  return {
    scripts: Object.fromEntries(scripts) as Record<string, string>,
    packages: lists.slice(0, 2).flat(),
    needsInstall: lists.some((list) => list.length > 0),
  }
}

function python(files: RootFiles): Stack | null {
  const markers = ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'pytest.ini', 'tox.ini']
  if (!markers.some((path) => has(files, path))) return null
  const text = ['pyproject.toml', 'setup.cfg', 'tox.ini', 'requirements.txt', 'requirements-dev.txt']
    .map((path) => files[path] ?? '')
    .join('\n')
  // Only there are the packages that the lock file names.
  const within = has(files, 'uv.lock') ? 'uv run --frozen ' : ''
  const checks: DetectedCheck[] = []
  if (/\[tool\.ruff/.test(text) || has(files, 'ruff.toml'))
    checks.push(check('lint', `${within}ruff check .`, { fix: `${within}ruff check --fix .` }))
  if (has(files, 'pytest.ini') || has(files, 'conftest.py') || /\bpytest\b/.test(text)) {
    const run = `${within}python -m pytest --junitxml="$ROPEWALK_REPORT"`
    const options = /--cov\b/.test(`${text}\n${files['pytest.ini'] ?? ''}`) ? ' --no-cov' : ''
    checks.push(check('test', run, { related: `${run}${options} {files}` }))
  }
  return { name: 'python', setup: has(files, 'uv.lock') ? 'uv sync --frozen' : null, checks }
}

function go(files: RootFiles): Stack | null {
  if (!has(files, 'go.mod')) return null
  const related = 'for f in {files}; do dirname "./$f"; done | sort -u | xargs go test -json'
  const checks = [check('vet', 'go vet ./...'), check('test', 'go test -json ./...', { related })]
  return { name: 'go', setup: null, checks }
}

function rust(files: RootFiles): Stack | null {
  if (!has(files, 'Cargo.toml')) return null
  return { name: 'rust', setup: null, checks: [check('test', 'cargo test --no-fail-fast')] }
}

function make(files: RootFiles): Stack | null {
  const text = files.Makefile ?? files.makefile ?? files.GNUmakefile
  if (text === undefined) return null
  const targets = ['lint', 'test', 'check'].filter((target) => new RegExp(`^${target}\\s*:(?!=)`, 'm').test(text))
  const wanted = targets.includes('test') ? targets.filter((target) => target !== 'check') : targets
  return { name: 'make', setup: null, checks: wanted.map((name) => check(name, `make ${name}`)) }
}
