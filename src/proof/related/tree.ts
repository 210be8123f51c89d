import { baseName, folderOf } from '../files/change.ts'
import { languageOf } from '../files/test-file.ts'

/** The files of a commit; the texts of those that were worth reading. */
export interface Tree {
  files: ReadonlySet<string>
  texts: ReadonlyMap<string, string>
}

/** What a file needs: other files, or a folder as a whole, which ends with a slash. */
export type Reads = (path: string) => string[]

const code = /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs)$/

/** Nobody here reads what it needs, but it can be broken, where a check is asked as a whole. */
const otherCode = /\.(?:c|cc|cpp|cxx|h|hh|hpp|m|mm|zig|java|kts?|scala|groovy|cs|swift|dart|rb|php|lua|p[lm]|exs?)$/

export const isOtherCode = (path: string): boolean => otherCode.test(path)

export const manifestNames = ['package.json', 'go.mod', 'Cargo.toml', 'pyproject.toml', 'setup.py', 'setup.cfg']

export const isCode = (path: string): boolean => code.test(path)

export const isManifest = (path: string): boolean => manifestNames.includes(path.slice(path.lastIndexOf('/') + 1))

/** What others have installed is not of the project. */
const isForeign = (path: string): boolean => /(?:^|\/)(?:node_modules|vendor|\.venv|site-packages|target)\//.test(path)

/** What must be read to know who needs whom, and what can be broken. */
export const worthReading = (path: string): boolean =>
  (isCode(path) || isOtherCode(path) || isManifest(path)) && !isForeign(path)

export const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')

/** Whether a test file is called like the source: `src/a.ts` and `test/a.test.ts`, `a.py` and `test_a.py`. */
export function isNamedAfter(test: string, source: string): boolean {
  if (languageOf(test) !== languageOf(source) || subjectOf(test) !== stemOf(baseName(source)).toLowerCase())
    return false
  const [near, far] = [ownFolders(test), ownFolders(source)]
  if (near.join('/') === far.join('/')) return true
  if (tooCommon.has(subjectOf(test))) return false
  // Either a flat folder of tests, or the same folders below.
  return near.length === 0 ? isInFolderForTests(test) : far.join('/').endsWith(near.join('/'))
}

const tooCommon = new Set(['index', 'main', 'mod', 'lib', '__init__', 'init', 'types', 'config'])

const subjectOf = (test: string): string =>
  stemOf(test)
    .replace(/[._-](?:test|tests|spec|specs|e2e|cy|unit|integration)$/i, '')
    .replace(/(?<=[a-z0-9])(?:Tests?|Spec|IT)$/, '')
    .replace(/^tests?[._-]/i, '')
    .toLowerCase()

const conventional = /^(?:src|lib|app|pkg|main|java|tests?|__tests__|specs?|e2e|unit|integration)$/

const ownFolders = (path: string): string[] =>
  folderOf(path)
    .split('/')
    .filter((part) => part !== '' && !conventional.test(part))

const isInFolderForTests = (path: string): boolean => /(?:^|\/)(?:tests?|__tests__|specs?)\//.test(path)
