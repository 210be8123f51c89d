import type { CommitId, TreeId } from '../../../delivery/ids.ts'
import type { Policy } from '../../../delivery/policy.ts'
import type { SortedFile } from '../../../ports/proofs/rehearsal.ts'
import type { Commits, FileChange } from '../../../ports/repository/commits.ts'
import type { VariantFile } from '../../../ports/repository/composing.ts'
import { pathBefore, pathsOf } from '../../../proof/files/change.ts'
import { type ScriptClosure, scriptClosure } from '../../../proof/files/script-closure.ts'
import { withFormerSettings } from '../../../proof/material/mixed.ts'
import { mayShadow, onlyNamesChanged, renamers, shadowsIn } from '../../../proof/material/renames.ts'
import { isDoubtful, isMixed, needsTree, type Sorted, sortFiles, tellsHow } from '../../../proof/material/sort-files.ts'
import { coversAny } from '../../../std/glob.ts'
import { readTree } from '../related.ts'
import { type Bench, typedAtRoot } from '../run-check.ts'

/** One file that comes from the base, and why. */
export interface TakenFile {
  path: string
  kind: Exclude<Sorted['kind'], 'product'>
  because: string
  file: VariantFile
}

export interface FormerTree {
  commit: CommitId
  tree: TreeId
  taken: TakenFile[]
}

/** The subject's product with the base's tests and settings; null: the subject has changed none of these. */
export async function formerTree(bench: Bench, executesTests: boolean): Promise<FormerTree | null> {
  const { repository, step } = bench
  const { base, commit } = step
  const allowed = bench.input.mayChange
  const changes = (await repository.diff(base, commit)).filter(
    (change) => !pathsOf(change).every((path) => coversAny(allowed, path)),
  )
  if (changes.length === 0) return null
  const closure = await closureOf(bench)
  const sorted = await sortChanges(bench, changes, closure)
  const same = sameClaims(changes, sorted)
  const rest = changes.filter(({ path }) => !sorted.some((one) => one.path === path))
  const wanted = [...sorted, ...mixedFiles(rest, { closure, base })].filter(
    ({ path, kind }) => (kind === 'settings' || executesTests) && !coversAny(allowed, path) && !same.has(path),
  )
  if (wanted.length === 0) return null
  const taken = [...wanted, ...inTheWay(changes, wanted, base)]
  const made = await repository.variant(
    commit,
    taken.map(({ file }) => file),
  )
  return { ...made, taken }
}

/** Test files that say the same of a product whose names have changed: as they were, they could not find it. */
function sameClaims(changes: FileChange[], sorted: TakenFile[]): Set<string> {
  const taken = new Set(sorted.map(({ path }) => path))
  const product = renamers(changes, (path) => taken.has(path))
  const tests = changes.filter((change) => taken.has(change.path) && onlyNamesChanged(change, product))
  return new Set(tests.flatMap(pathsOf))
}

async function closureOf({ repository, step, input, check }: Bench): Promise<ScriptClosure> {
  const { base } = step
  const setup = input.policy.setup
  const lines = await typedAtRoot(repository, check, base)
  const commands = setup === null ? lines : [...lines, setup.run]
  return await scriptClosure({ commands, readFile: (path) => repository.readFile(base, path) })
}

/** What was there is what it was on the base, whoever needs it now; only what is new is looked at as it is. */
async function sortChanges(bench: Bench, changes: FileChange[], closure: ScriptClosure): Promise<TakenFile[]> {
  const { base, commit } = bench.step
  const old = changes.filter(({ oldMode }) => oldMode !== null).map(pathBefore)
  const fresh = changes.filter(({ newMode }) => newMode !== null).map(({ path }) => path)
  const doubtful = (paths: string[], side: 'before' | 'after'): Set<string> =>
    new Set(paths.filter((path) => changes.some((one) => isSo(one, { path, side }))))
  const isSo = (one: FileChange, { path, side }: { path: string; side: 'before' | 'after' }): boolean =>
    (side === 'before' ? pathBefore(one) : one.path) === path && one[side] !== null && isDoubtful(path, one[side])
  const before = await sortOn(bench, { commit: base, paths: old, closure, doubtful: doubtful(old, 'before') })
  const added = fresh.filter((path) => !before.has(path))
  const after = await sortOn(bench, { commit, paths: added, closure, doubtful: doubtful(added, 'after') })
  const shadows = await shadowsOf(bench, added)
  return [...after, ...before, ...shadows].flatMap(([path, { kind, because }]) =>
    kind === 'product' || tellsHow(path) ? [] : [{ path, kind, because, file: { path, from: base } }],
  )
}

/** New files that tests would load in place of a library: the library is what they were written with. */
async function shadowsOf({ repository, step }: Bench, added: string[]): Promise<[string, Sorted][]> {
  const tree = added.some(mayShadow) ? await readTree(repository, step.base) : null
  const found = tree === null ? [] : shadowsIn(added, tree)
  return found.map((path) => [path, { kind: 'tests', because: 'has the name of a library that the tests import' }])
}

interface SortedOn {
  commit: CommitId
  paths: string[]
  closure: ScriptClosure
  doubtful: ReadonlySet<string>
}

async function sortOn({ repository, input }: Bench, { commit, paths, closure, doubtful }: SortedOn) {
  const { tests } = input.policy
  const tree = needsTree(paths, { closure, tests, doubtful }) ? await readTree(repository, commit) : null
  return sortFiles(paths, { closure, tests, doubtful, tree })
}

/** What is both product and test material is taken in part. */
function mixedFiles(changes: FileChange[], { closure, base }: { closure: ScriptClosure; base: CommitId }): TakenFile[] {
  return changes.flatMap((change): TakenFile[] => {
    const { path, before, after } = change
    if (!isMixed(path) || before === null) return []
    const kind = tellsHow(path) ? 'settings' : 'tests'
    if (kind === 'settings' && after === null) return [{ path, kind, because: 'is gone', file: { path, from: base } }]
    const scripts = new Set([...(closure.scripts.get(path) ?? []), ...closure.scriptsAnywhere])
    const text = after === null ? null : withFormerSettings({ path, before, after, scripts })
    const because = kind === 'tests' ? 'holds tests beside its code' : 'tells, among others, how tests run'
    return text === null ? [] : [{ path, kind, because, file: { path, text } }]
  })
}

/** A file where the base has a folder, and the other way round. */
function inTheWay(changes: FileChange[], wanted: TakenFile[], base: CommitId): TakenFile[] {
  const taken = new Set(wanted.map(({ path }) => path))
  const back = wanted.filter(({ file }) => 'from' in file).map(({ path }) => path)
  return changes
    .filter(({ path, status }) => (status === 'added' || status === 'renamed') && !taken.has(path))
    .filter(({ path }) => back.some((one) => one.startsWith(`${path}/`) || path.startsWith(`${one}/`)))
    .map(({ path }) => ({ path, kind: 'tests', because: 'is in the way of test material', file: { path, from: base } }))
}

/** Every file of a commit as the guard would sort it. */
export async function materialOf(
  repository: Commits,
  { commit, policy }: { commit: CommitId; policy: Pick<Policy, 'checks' | 'setup' | 'tests'> },
): Promise<SortedFile[]> {
  const { checks, setup, tests } = policy
  const lines = await Promise.all(checks.map((check) => typedAtRoot(repository, check, commit)))
  const commands = [...lines.flat(), ...(setup === null ? [] : [setup.run])]
  const closure = await scriptClosure({ commands, readFile: (path) => repository.readFile(commit, path) })
  const paths = await repository.listFiles(commit)
  const tree = needsTree(paths, { closure, tests }) ? await readTree(repository, commit) : null
  return [...sortFiles(paths, { closure, tests, tree })].map(([path, { kind, because }]) =>
    tellsHow(path) ? { path, kind: 'both', because: 'tells, among others, how tests run' } : { path, kind, because },
  )
}
