import { objectOf, parseJson } from '../../std/json.ts'

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
  const scripts: Record<string, unknown> = { ...objectOf(present.scripts) }
  for (const name of names) put(scripts, name, objectOf(former.scripts)[name])
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

// Files of sections with a header in brackets (TOML, INI), told apart as text: what is not of tests stays as it is.

/** Which parts of such a file say how tests run. */
export interface Blocks {
  /** The whole section. */
  isFormer(header: string): boolean
  /** Single lines of a section; null: none. */
  formerKeys(header: string): RegExp | null
}

interface Block {
  header: string
  lines: string[]
}

/** The new file with these parts as they were before. */
export function withFormerBlocks(before: string, after: string, blocks: Blocks): string {
  const [former, present] = [blocksOf(before), blocksOf(after)]
  const wanted = former.filter(({ header }) => blocks.isFormer(header))
  const had = present.filter(({ header }) => blocks.isFormer(header))
  const rest = present.filter(({ header }) => !blocks.isFormer(header))
  const mended = rest.map((block) => withFormerLines(block, former, blocks))
  const same = textOf(wanted) === textOf(had) && textOf(mended) === textOf(rest)
  return same ? after : `${textOf(mended)}\n${textOf(wanted)}\n`
}

function withFormerLines(block: Block, former: Block[], blocks: Blocks): Block {
  const keys = blocks.formerKeys(block.header)
  if (keys === null) return block
  const old = former.find(({ header }) => header === block.header)?.lines.filter((line) => keys.test(line)) ?? []
  const now = block.lines.filter((line) => keys.test(line))
  if (old.join('\n') === now.join('\n')) return block
  const [head, ...rest] = block.lines
  return { ...block, lines: [head!, ...old, ...rest.filter((line) => !keys.test(line))] }
}

const textOf = (blocks: Block[]): string => blocks.map(({ lines }) => lines.join('\n').trimEnd()).join('\n\n')

/** What stands above the first header has an empty one. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [{ header: '', lines: [] }]
  for (const line of text.split(/\r?\n/)) {
    // A list that goes over several lines is no header.
    const header = /^\[\[?\s*([^\][,]+?)\s*\]\]?\s*(?:[#;].*)?$/.exec(line)?.[1]
    if (header === undefined) blocks.at(-1)!.lines.push(line)
    else blocks.push({ header: header.replace(/["']/g, ''), lines: [line] })
  }
  return blocks.filter(({ lines }) => lines.some((line) => line.trim() !== ''))
}

// Documentation that is executed: the examples of Python and Rust stand beside the code and are tests.

interface Examples {
  /** What they are about: gone with it, they are gone rightly. */
  owner: string
  text: string
}

/** The new code, and at its end the examples that were there before and are there no longer, or otherwise. */
export function withFormerExamples(path: string, before: string, after: string): string {
  const [read, write] = path.endsWith('.py') ? [pythonExamples, pythonItem] : [rustExamples, rustItem]
  const present = read(after)
  const lost = read(before).filter(
    ({ owner, text }) => isThere(owner, after) && !present.some((one) => one.owner === owner && one.text === text),
  )
  return lost.length === 0 ? after : `${after.trimEnd()}\n${lost.map(write).join('')}`
}

const isThere = (owner: string, text: string): boolean => owner === '' || new RegExp(`\\b${owner}\\b`).test(text)

/** Those of one docstring belong together: the later ones use what the earlier ones made. */
function pythonExamples(text: string): Examples[] {
  const found = new Map<string, string>()
  let [owner, indent]: [string, string | null] = ['', null]
  for (const line of text.split('\n')) {
    owner = /^\s*(?:async\s+)?(?:def|class)\s+(\w+)/.exec(line)?.[1] ?? owner
    indent = /^(\s*)>>> /.exec(line)?.[1] ?? (line.trim() === '' || /"""|'''/.test(line) ? null : indent)
    const ended = indent === null && found.get(owner)?.endsWith('\n\n') === false
    if (indent !== null) found.set(owner, `${found.get(owner) ?? ''}${line.slice(indent.length)}\n`)
    else if (ended) found.set(owner, `${found.get(owner)}\n`)
  }
  return [...found].flatMap(([of, all]) => (/\\|"""/.test(all) ? [] : [{ owner: of, text: all.trimEnd() }]))
}

const pythonItem = ({ owner, text }: Examples, index: number): string =>
  `\n\ndef _${owner}_as_it_was_${index + 1}():\n    """\n${text.replace(/^(?=.)/gm, '    ')}\n    """\n`

const fenced = /^[ \t]*\/\/[/!] ```[^\n]*\n(?:[ \t]*\/\/[/!][^\n]*\n)*?[ \t]*\/\/[/!] ```[ \t]*\n/gm

function rustExamples(text: string): Examples[] {
  return [...text.matchAll(fenced)].map((found) => ({
    owner: documentedItem.exec(text.slice(found.index + found[0].length))?.[1] ?? '',
    text: found[0].replace(/^[ \t]*\/\/./gm, '///'),
  }))
}

/** The documented documentedItem; what stands before all others documents the crate. */
const documentedItem =
  /^(?:[ \t]*\/\/\/[^\n]*\n|[ \t]*#\[[^\n]*\n)*[^\n]*?\b(?:fn|struct|enum|trait|mod|type|const|static|macro_rules!)\s+(\w+)/

const rustItem = ({ owner, text }: Examples, index: number): string =>
  `\n${text}#[allow(dead_code)]\nfn _${owner}_as_it_was_${index + 1}() {}\n`

// An item that only a test build has: what is marked as a test or for tests, up to the end of its line or of its block.
const attribute = '#\\[[^\\n]*\\]\\s*\\n'
const mark = '#\\[(?:cfg\\(test\\)|(?:\\w+::)*(?:test|rstest|test_case|bench)\\b)[^\\n]*\\]\\s*\\n'
const item = '(?:[^\\n]*[;}][ \\t]*(?:\\n|$)|[^\\n]*\\{[^\\n]*\\n(?:[\\s\\S]*?\\n)?\\}[^\\n]*(?:\\n|$))'
const tests = new RegExp(`^(?:${attribute})*?${mark}(?:${attribute})*${item}`, 'gm')

/** Rust keeps tests beside the code: the new code with the tests that were there before. */
export function withFormerTests(before: string, after: string): string {
  const [former, present] = [before, after].map((text) => text.match(tests) ?? [])
  if (former!.join('') === present!.join('')) return after
  const code = after.replace(tests, '').trimEnd()
  return `${code}\n\n${former!.map((one) => one.trimEnd()).join('\n\n')}\n`.trimStart()
}
