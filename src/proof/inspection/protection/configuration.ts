// Files that configure many things, of which only some decide how work is judged.
import { baseName, type Change, pathBefore } from '../change.ts'
import { typeSettingsChange } from './type-settings.ts'

/** Why a change of a shared configuration file matters; empty when it does not. */
export function configurationChange(change: Change): string[] {
  const name = baseName(pathBefore(change))
  const before = change.before ?? ''
  const after = change.after ?? ''
  if (/^tsconfig.*\.json$/.test(name)) return change.before === null ? [] : typeSettingsChange(before, after)
  if (/^vite\.config\.\w+$/.test(name))
    return block(before, /\btest\s*:\s*\{/) === block(after, /\btest\s*:\s*\{/)
      ? []
      : ['its test section is test configuration']
  const sections = sectionsOf(name)
  const words = disablingWords(name)
  return [
    ...(sections === null ? [] : differingSections(before, after, sections)),
    ...(words !== null && count(after, words) > count(before, words) ? ['it tells the build to leave out tests'] : []),
    ...(name === 'Cargo.toml' ? droppedDefaults(before, after) : []),
    ...(name === 'conftest.py' ? changedHooks(before, after) : []),
  ]
}

/** Tests behind a feature run only where it is on. */
function droppedDefaults(before: string, after: string): string[] {
  const defaults = (text: string): string[] =>
    [...(/^\s*default\s*=\s*\[([^\]]*)\]/m.exec(text)?.[1] ?? '').matchAll(/"([^"]+)"/g)].map((found) => found[1]!)
  const left = defaults(after)
  return defaults(before)
    .filter((one) => !left.includes(one))
    .map((one) => `without the default feature "${one}" its tests do not run`)
}

/** Hooks decide what is collected and what counts; fixtures are free, as long as they are asked for by name. */
function changedHooks(before: string, after: string): string[] {
  const had = new Map(hooksIn(before))
  const hooks = hooksIn(after).filter(([name, body]) => had.get(name) !== body)
  return hooks.map(([name]) => `its ${name} decides how tests are run`)
}

const hooksIn = (text: string): [string, string][] =>
  [
    ...text.matchAll(
      /^(?:async )?def (pytest_\w+)[^\n]*\n(?:[ \t][^\n]*(?:\n|$)|\n)*|^(collect_ignore\w*|pytest_plugins)\b[^\n]*|^@pytest\.fixture\([^)\n]*autouse\s*=\s*True[^\n]*\n(?:async )?def (\w+)[^\n]*\n(?:[ \t][^\n]*(?:\n|$)|\n)*/gm,
    ),
  ].map((found) => [found[1] ?? found[2] ?? `fixture ${found[3]}`, found[0].replace(/\s+/g, ' ').trim()])

function sectionsOf(name: string): RegExp | null {
  if (name === 'pyproject.toml')
    return /^tool\.(?:pytest|coverage|ruff|mypy|pyright|pylint|flake8|tox|black|isort|nox|poe|taskipy|pdm\.scripts|hatch\.envs)/
  if (name === 'setup.cfg') return /^(?:tool:pytest|pytest|flake8|mypy|coverage|pylint|pycodestyle|isort)/
  if (name === 'Cargo.toml') return /^(?:lints|workspace\.lints|\[test)/

  return null
}

function disablingWords(name: string): RegExp | null {
  if (name === 'pom.xml') return /skipTests|maven\.test\.skip|testFailureIgnore|<exclude>|skipITs/g
  if (/^build\.gradle(?:\.kts)?$/.test(name))
    return /ignoreFailures|\benabled\s*=?\s*false|\bexclude\b|-x\s+test|excludeTags/g
  if (name === 'Cargo.toml') return /^\s*(?:autotests|test|doctest|harness)\s*=\s*false|^\s*required-features\s*=/gm
  return null
}

const count = (text: string, words: RegExp): number => [...text.matchAll(words)].length

function differingSections(before: string, after: string, wanted: RegExp): string[] {
  const [had, has] = [readSections(before, wanted), readSections(after, wanted)]
  const names = new Set([...had.keys(), ...has.keys()])
  return [...names]
    .filter((name) => had.get(name) !== has.get(name))
    .map((name) => `its section [${name}] is test or lint configuration`)
}

/** Sections of a TOML or INI text, without comments and spacing. */
function readSections(text: string, wanted: RegExp): Map<string, string> {
  const sections = new Map<string, string>()
  let current: string | null = null
  for (const line of text.split('\n')) {
    const header = /^\s*\[(.+)\]\s*(?:#.*)?$/.exec(line)
    if (header) current = wanted.test(header[1]!.trim()) ? header[1]!.trim() : null
    const content = line
      .replace(/(^|\s)[#;].*$/, '')
      .replace(/\s+/g, ' ')
      .trim()
    if (!header && current !== null && content !== '')
      sections.set(current, `${sections.get(current) ?? ''}${content}\n`)
  }
  return sections
}

/** A braced block after a sign, without spacing. */
function block(text: string, opening: RegExp): string {
  const found = opening.exec(text)
  if (!found) return ''
  let depth = 0
  for (let at = found.index + found[0].length - 1; at < text.length; at++) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}' && --depth === 0) return text.slice(found.index, at).replace(/\s+/g, '')
  }
  return text.slice(found.index).replace(/\s+/g, '')
}
