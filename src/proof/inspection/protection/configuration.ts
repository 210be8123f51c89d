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
  if (sections !== null) return differingSections(before, after, sections)
  const words = disablingWords(name)
  if (words !== null && count(after, words) > count(before, words)) return ['it tells the build to leave out tests']
  return []
}

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
  if (name === 'Cargo.toml') return /^\s*(?:autotests|test|harness)\s*=\s*false/gm
  if (name === 'conftest.py')
    return /pytest_collection_modifyitems|pytest_ignore_collect|collect_ignore|pytest_runtest_makereport|pytest_sessionfinish|pytest_runtest_call|pytest_pyfunc_call/g
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
