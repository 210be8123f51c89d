import type { CommitId } from '../../../delivery/ids.ts'
import type { CheckPolicy } from '../../../delivery/policy.ts'
import type { Repository } from '../../../ports/repository.ts'
import { folderFor } from '../../../proof/related/packages/folders.ts'
import { testFilesOf } from '../../../proof/related/related-tests.ts'
import { runnableBy } from '../../../proof/related/runnable.ts'
import { type Tree, worthReading } from '../../../proof/related/tree.ts'
import { checkFolders } from '../lines.ts'
import type { Bench } from '../run-check.ts'
import { lookUp } from '../verdict.ts'
import type { Allowance, Asking } from './run-files.ts'
import { withSingleFiles } from './single-files.ts'

const mostFiles = 30_000

/** A commit's files with what must be read to know who needs whom; null: they are too many. */
export async function treeAt(repository: Repository, commit: CommitId): Promise<Tree | null> {
  const files = await repository.listFiles(commit)
  const wanted = files.filter(worthReading)
  if (wanted.length > mostFiles) return null
  const texts = new Map<string, string>()
  for (const [path, bytes] of await repository.readFiles(commit, wanted))
    texts.set(path, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  return { files: new Set(files), texts }
}

/** How a check is asked about the tests of a commit. */
export async function askingOf(
  repository: Repository,
  check: CheckPolicy,
  at: { base: CommitId; commit: CommitId; tree: Tree },
): Promise<Asking> {
  const folders = await checkFolders(repository, check, at.commit)
  const single = await withSingleFiles(repository, check, at.base)
  if (single === null) return { check, folders, tests: null }
  const runs = runnableBy(single.related)
  const isOurs = (path: string): boolean => runs(path) && folderFor(path, folders) !== null && isIntegration(path)
  const tests = testFilesOf(at.tree).filter(isOurs)
  return tests.length === 0 && isRust(at.tree) ? { check, folders, tests: null } : { check: single, folders, tests }
}

/** Of Rust, what stands among the code cannot be run alone. */
const isIntegration = (path: string): boolean => !path.endsWith('.rs') || /(?:^|\/)tests\/[^/]+\.rs$/.test(path)
const isRust = ({ files }: Tree): boolean => [...files].some((path) => path.endsWith('.rs'))

const shortestMs = 20_000

/** A quarter of what the whole check is known to take, and never less than a little. */
export async function allowanceFor(bench: Bench): Promise<Allowance> {
  const { known } = await lookUp(bench)
  const durationMs = known?.status === 'passed' ? (known.proof?.durationMs ?? 0) : 0
  return { leftMs: Math.max(shortestMs, durationMs / 4) }
}
