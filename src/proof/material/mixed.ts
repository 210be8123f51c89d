import { parseJson } from '../files/script-closure.ts'
import { withFormerExamples } from './examples.ts'
import { withFormerTests } from './inline-tests.ts'
import { type Blocks, withFormerBlocks } from './sections.ts'

/** A file that is both product and test material, on two commits. */
export interface Mixed {
  path: string
  before: string
  after: string
  /** The scripts of a package.json that the checks reach. */
  scripts: ReadonlySet<string>
}

/** The new file with what it says about tests as it was before; null where that is the same. */
export function withFormerSettings(mixed: Mixed): string | null {
  const made = remade(mixed)
  return made === mixed.after ? null : made
}

function remade({ path, before, after, scripts }: Mixed): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (name === 'package.json') return withFormerKeys(before, after, scripts)
  if (name === 'pyproject.toml') return withFormerBlocks(before, after, python)
  if (name === 'setup.cfg') return withFormerBlocks(before, after, config)
  if (name === 'Cargo.toml') return withFormerBlocks(before, after, cargo)
  if (!/\.(?:rs|py)$/.test(path)) return after
  return withFormerExamples(path, before, path.endsWith('.rs') ? withFormerTests(before, after) : after)
}

/** What npm runs by itself when it installs. */
const lifecycle = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish']

/** Dependencies and what the package is come from the new one: the product needs them. */
function withFormerKeys(before: string, after: string, reached: ReadonlySet<string>): string {
  const [former, present] = [objectIn(before), objectIn(after)]
  if (former === null || present === null) return before
  const names = new Set([...reached, ...lifecycle])
  const made: Record<string, unknown> = { ...present }
  for (const key of new Set([...Object.keys(former), ...Object.keys(present)]))
    if (isToolKey(key)) put(made, key, former[key])
  const scripts: Record<string, unknown> = { ...asObject(present.scripts) }
  for (const name of names) put(scripts, name, asObject(former.scripts)[name])
  if (Object.keys(scripts).length > 0) made.scripts = scripts
  else delete made.scripts
  return JSON.stringify(made) === JSON.stringify(present) ? after : `${JSON.stringify(made, null, 2)}\n`
}

const isToolKey = (key: string): boolean =>
  /^(?:jest|vitest|mocha|ava|c8|nyc|tap|karma|cypress|playwright|babel|swc|eslintConfig|eslintIgnore|prettier|stylelint|xo|standard|wireit|nx|ts-node|tsd|lint-staged|husky|config)$/.test(
    key,
  )

function put(into: Record<string, unknown>, key: string, value: unknown): void {
  if (value === undefined) delete into[key]
  else into[key] = value
}

const objectIn = (text: string): Record<string, unknown> | null => {
  const value = parseJson(text)
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value } : null
}

const asObject = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' ? { ...value } : {}

/** Of Python's tools those that pack the product are its own. */
const python: Blocks = {
  isFormer: (header) =>
    /pytest11/.test(header) ||
    /^tool\.(?:hatch\.envs|pdm\.scripts)/.test(header) ||
    (header.startsWith('tool.') &&
      !/^tool\.(?:poetry|setuptools|setuptools_scm|hatch|pdm|uv|flit|maturin|cibuildwheel|scikit-build|versioneer)\b/.test(
        header,
      )),
  formerKeys: () => null,
}

const config: Blocks = {
  isFormer: (header) =>
    /^(?:tool:|pytest|coverage|aliases|flake8|mypy|pycodestyle|isort|pylint|tox|testenv)|pytest11/.test(header),
  formerKeys: () => null,
}

const cargo: Blocks = {
  isFormer: (header) => /^(?:test|bench|lints|profile|workspace\.lints)(?:\.|$)/.test(header),
  formerKeys: (header) =>
    /^(?:lib|bin|example|package)$/.test(header)
      ? /^\s*(?:harness|test|doctest|bench|autotests|autobenches)\s*=/
      : null,
}
