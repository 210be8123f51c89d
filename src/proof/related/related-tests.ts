import { coversAny } from '../../std/glob.ts'
import { baseName, type Change, pathsOf } from '../files/change.ts'
import { isInTestFolder, isTestName, looksLikeTests } from '../files/test-file.ts'
import { type Reason, whoNeeds } from './import-graph.ts'
import { folderFor, withDependents } from './packages.ts'
import { isCode, isManifest, isNamedAfter, type Tree } from './tree.ts'

export interface ChosenTest {
  path: string
  because: string
}

export type RelatedChoice =
  | { status: 'some'; tests: ChosenTest[]; of: number }
  /** The full check has to tell: no test is related, or nobody can say which, or too many are. */
  | { status: 'none' | 'unknown' | 'many'; tests: ChosenTest[]; of: number; because: string }

export interface RelatedInput {
  changes: readonly Change[]
  tree: Tree
  /** The setting `tests`: sources to tests, both as globs. */
  mapping: Readonly<Record<string, readonly string[]>>
  /** Where the check runs; the root is the empty name. */
  folders: readonly string[]
  /** Whether the check's command can run such a file. */
  runs: (path: string) => boolean
}

/** The test files of a commit that have to do with a change, and why each. */
export function relatedTests({ changes, tree, mapping, folders, runs }: RelatedInput): RelatedChoice {
  const isOurs = (path: string): boolean => runs(path) && folderFor(path, folders) !== null
  const tests = testFilesOf(tree).filter(isOurs)
  const changed = [...new Set(changes.flatMap(pathsOf))]
  const everywhere = changed.find((path) => concernsAll(path) && !isMapped(mapping, path))
  const chosen =
    everywhere === undefined
      ? choose({ tests, changed, tree, mapping, folders }).filter(({ path }) => isOurs(path))
      : []
  const of = tests.length
  if (everywhere !== undefined)
    return { status: 'unknown', tests: [], of, because: `${everywhere} may concern every test` }
  if (chosen.length === 0)
    return { status: 'none', tests: [], of, because: `none of ${of} test files has to do with the change` }
  if (chosen.length * 2 > of)
    return { status: 'many', tests: chosen, of, because: `${chosen.length} of ${of} test files are related` }
  return { status: 'some', tests: chosen, of }
}

/** What a runner takes for tests; what it compares with (snapshots) is not run. */
export const isTestFile = (path: string, text: string | null): boolean =>
  !path.endsWith('.snap') && (isTestName(path) || (text !== null && looksLikeTests(path, text)))

export const testFilesOf = ({ files, texts }: Tree): string[] =>
  [...files].filter((path) => isTestFile(path, texts.get(path) ?? null))

interface Given extends Omit<RelatedInput, 'changes' | 'runs'> {
  tests: string[]
  changed: string[]
}

function choose({ tests, changed, tree, mapping, folders }: Given): ChosenTest[] {
  // What is no longer there is still imported by those that were forgotten.
  const needs = whoNeeds({ ...tree, files: new Set([...tree.files, ...changed]) }, changed)
  const data = changed
    .filter((path) => !isCode(path) && !isProse(path))
    .map((path) => baseName(path).replace(/\.snap$/, ''))
  const sources = changed.filter((path) => !isProse(path))
  const mapped = mappedTests(mapping, { changed, tree })
  const told = (path: string): string | undefined => {
    if (changed.includes(path)) return 'is changed itself'
    const source = sources.find((one) => isNamedAfter(path, one))
    if (source !== undefined) return `is named after ${source}`
    if (needs.has(path)) return reasonText(needs.get(path)!)
    if (mapped.has(path)) return mapped.get(path)
    const named = data.find((name) => baseName(path) === name || (tree.texts.get(path) ?? '').includes(name))
    return named === undefined ? undefined : `names ${named}`
  }
  const chosen = [...new Set([...tests, ...mapped.keys()])].flatMap((path) => {
    const because = told(path)
    return because === undefined ? [] : [{ path, because }]
  })
  return [...chosen, ...ofPackages(chosen, { tests, changed, tree, folders })]
}

/** Of a package that is touched, or that depends on a touched one, all tests where none is known to be related. */
function ofPackages(chosen: ChosenTest[], { tests, changed, tree, folders }: Omit<Given, 'mapping'>): ChosenTest[] {
  const placeOf = (path: string): string | null => folderFor(path, folders)
  const packages = folders.filter((folder) => folder !== '')
  const sources = changed.filter((path) => !isProse(path)).map(placeOf)
  const touched = packages.filter((folder) => sources.includes(folder))
  const covered = new Set(chosen.map(({ path }) => placeOf(path)))
  const bare = withDependents(touched, packages, tree).filter((folder) => !covered.has(folder))
  return tests.flatMap((path) => {
    const folder = placeOf(path)
    if (folder === null || !bare.includes(folder)) return []
    const how = touched.includes(folder) ? 'is touched' : 'depends on one that is touched'
    return [{ path, because: `is in ${folder}, which ${how}` }]
  })
}

const reasonText = ({ next, changed }: Reason): string =>
  next === changed ? `imports ${changed}` : `imports ${next}, which needs ${changed}`

function mappedTests(
  mapping: RelatedInput['mapping'],
  { changed, tree }: { changed: string[]; tree: Tree },
): Map<string, string> {
  const found = new Map<string, string>()
  for (const [source, tests] of Object.entries(mapping)) {
    const cause = changed.find((path) => coversAny([source], path))
    if (cause === undefined) continue
    for (const path of tree.files) if (coversAny(tests, path)) found.set(path, `is mapped to ${source} by the settings`)
  }
  return found
}

const isMapped = (mapping: RelatedInput['mapping'], path: string): boolean => coversAny(Object.keys(mapping), path)

const isProse = (path: string): boolean => /\.(?:mdx?|rst|adoc)$|(?:^|\/)(?:LICENSE|NOTICE|CODEOWNERS)$/i.test(path)

const settings =
  /^(?:(?:package-lock|npm-shrinkwrap|tsconfig.*|jsconfig|deno|babel|turbo|nx)\.json|(?:yarn|Cargo|poetry|uv|Pipfile|pnpm-lock)\.(?:lock|yaml)|go\.sum|Pipfile|requirements.*\.txt|(?:pytest|tox)\.ini|\.babelrc.*|\.mocharc.*|\.swcrc|.*\.config\.[cm]?[jt]s|Makefile|Dockerfile)$/

/** Manifests, locks and settings of tools: nobody can tell which tests they leave alone. */
const concernsAll = (path: string): boolean =>
  (isManifest(path) || settings.test(baseName(path))) && !isInTestFolder(path)
