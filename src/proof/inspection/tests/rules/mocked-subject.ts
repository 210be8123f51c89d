// A test whose subject is a stand-in tests the stand-in.
import type { Finding } from '../../../../delivery/judging/finding.ts'
import { baseName, type Change, folderOf, join, pathBefore } from '../../change.ts'
import { report } from '../../report.ts'
import type { TestChange, TestFile } from '../test-case.ts'
import { isInTestFolder, isTestName } from '../test-file.ts'

export function mockedSubjectFindings({ change, before, after }: TestChange, changes: readonly Change[]): Finding[] {
  if (after === null) return []
  const known = new Set(before === null ? [] : mocksIn(pathBefore(change), before).map(({ target }) => target))
  const modules = new Set(changes.filter(isProduct).map(({ path }) => withoutEnding(path)))
  return mocksIn(change.path, after)
    .filter(({ target, subject }) => !known.has(target) && subject(modules))
    .map(({ target, line, text }) =>
      report({
        rule: 'test-weakened',
        file: change.path,
        line,
        what: `mock of ${target}`,
        message: `"${target}" is what these tests are about, and is replaced by a mock; test the real one, and mock only what it asks of others`,
        evidence: text,
        fixTarget: 'tests',
      }),
    )
}

const isProduct = ({ path, status }: Change): boolean =>
  status !== 'deleted' && !isTestName(path) && !isInTestFolder(path)

const withoutEnding = (path: string): string =>
  path.replace(/\.(?:d\.)?[cm]?[jt]sx?$|\.py$/, '').replace(/\/index$/, '')

interface Mock {
  target: string
  line: number
  text: string
  /** Whether it stands in for what these tests are about, given what the story changed. */
  subject(modules: ReadonlySet<string>): boolean
}

function mocksIn(path: string, file: TestFile): Mock[] {
  if (file.language === 'js') return [...moduleMocks(path, file), ...stubs(file)]
  return file.language === 'python' ? patches(file) : []
}

const moduleMock =
  /\b(?:jest|vi)\s*\.\s*(?:mock|doMock|setMock|unstable_mockModule)\s*\(\s*(?:import\s*\(\s*)?(["'])|\bmock\s*\.\s*module\s*\(\s*(["'])|\btd\.replaceEsm?\s*\(\s*(["'])/g

function moduleMocks(path: string, file: TestFile): Mock[] {
  return [...file.masked.matchAll(moduleMock)].flatMap((found) => {
    const from = found.index + found[0].length
    const name = file.text.slice(from, file.masked.indexOf((found[1] ?? found[2] ?? found[3])!, from))
    if (!name.startsWith('.')) return []
    const target = withoutEnding(join(folderOf(path), name))
    const text = lineAt(file.text, found.index)
    return [
      {
        target,
        line: file.text.slice(0, found.index).split('\n').length,
        text,
        subject: (modules) => modules.has(target) && isAbout(path, file, { target, mocked: text }),
      },
    ]
  })
}

/** A method that is stubbed and then asserted about. */
function stubs(file: TestFile): Mock[] {
  const stub = /\b(?:spyOn|stub|mock\s*\.\s*method)\s*\(\s*([\w$.]+)\s*,\s*(["'])/g
  return [...file.masked.matchAll(stub)].flatMap((found) => {
    const from = found.index + found[0].length
    const name = file.text.slice(from, file.masked.indexOf(found[2]!, from))
    const call = `${found[1]}.${name}(`
    const test = file.cases.find(({ kind, start, end }) => kind === 'test' && start <= found.index && found.index < end)
    const about = test?.facts.assertions.some(({ text }) => text.includes(`(${call}`) || text.includes(`(await${call}`))
    if (!about) return []
    const line = file.text.slice(0, found.index).split('\n').length
    return [{ target: `${found[1]}.${name}`, line, text: lineAt(file.text, found.index), subject: () => true }]
  })
}

/** By its name, or because nothing else of the product is in it. A mock around the actual module leaves the rest real. */
function isAbout(path: string, file: TestFile, { target, mocked }: { target: string; mocked: string }): boolean {
  if (/importActual|requireActual|importOriginal|__actual/.test(mocked)) return false
  const own = baseName(path).replace(/\.(?:test|spec|tests|specs|unit|integration|e2e)?\.?[cm]?[jt]sx?$/, '')
  if (own === baseName(target)) return true
  const others = [...file.text.matchAll(/(?:\bfrom\s*|\brequire\s*\(\s*|\bimport\s*\(\s*)["'](\.{1,2}\/[^"'\n]+)["']/g)]
    .map((found) => withoutEnding(join(folderOf(path), found[1]!)))
    .filter((one) => !isInTestFolder(`${one}.js`))
  return others.length > 0 && others.every((one) => one === target)
}

const lineAt = (text: string, at: number): string => {
  const end = text.indexOf('\n\n', at)
  return text.slice(text.lastIndexOf('\n', at) + 1, end === -1 ? at + 400 : Math.min(end, at + 400))
}

/** `patch('shop.price.with_tax')` where the test calls `with_tax` of `shop.price` itself. */
function patches(file: TestFile): Mock[] {
  const found = [...file.text.matchAll(/\b(?:patch|setattr)\s*\(\s*["']([\w.]+)\.(\w+)["']/g)]
  const objects = [...file.text.matchAll(/\b(?:patch\.object|setattr)\s*\(\s*([\w.]+)\s*,\s*["'](\w+)["']/g)]
  return [...found, ...objects].map((match) => {
    const [module, name] = [match[1]!, match[2]!]
    return {
      target: `${module}.${name}`,
      line: file.text.slice(0, match.index).split('\n').length,
      text: lineAt(file.text, match.index),
      subject: (modules) => isOfChanged(file, module, modules) && isCalled(file, module, name),
    }
  })
}

/** The module as it is written, or as it was imported. */
function isOfChanged(file: TestFile, module: string, modules: ReadonlySet<string>): boolean {
  const imported = new RegExp(`\\bfrom\\s+([\\w.]+)\\s+import\\s[^\\n]*\\b${module}\\b`).exec(file.masked)?.[1]
  const written = (imported === undefined ? module : `${imported}.${module}`).replaceAll('.', '/')
  return [...modules].some((one) => one === written || one.endsWith(`/${written}`))
}

/** Called by the test itself, not only by what it tests. */
function isCalled(file: TestFile, module: string, name: string): boolean {
  const owner = module.split('.').at(-1)!
  const direct = new RegExp(`\\bfrom\\s+${module.replaceAll('.', '\\.')}\\s+import\\s[^\\n]*\\b${name}\\b`).test(
    file.masked,
  )
  const called = new RegExp(direct ? `(?<![\\w.])${name}\\s*\\(` : `\\b${owner}\\.${name}\\s*\\(`)
  return file.cases.some((test) => called.test(test.masked.replace(/^\s*@.*$/gm, '')))
}
