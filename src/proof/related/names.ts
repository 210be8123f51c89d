import { baseName, folderOf } from '../files/change.ts'
import { languageOf } from '../files/test-file.ts'
import { stemOf } from './tree.ts'

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
