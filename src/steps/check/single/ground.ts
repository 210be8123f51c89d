import type { CommitId } from '../../../delivery/ids.ts'
import type { CheckPolicy } from '../../../delivery/policy.ts'
import type { Repository } from '../../../ports/repository.ts'
import { folderFor } from '../../../proof/related/packages/folders.ts'
import { testFilesOf } from '../../../proof/related/related-tests.ts'
import { runnableBy } from '../../../proof/related/runnable.ts'
import type { Tree } from '../../../proof/related/tree.ts'
import { checkFolders } from '../lines.ts'
import type { Bench } from '../run-check.ts'
import { lookUp } from '../verdict.ts'
import type { Allowance, Asking } from './run-files.ts'
import { withSingleFiles } from './single-files.ts'

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
  const wholeMs = known?.status === 'passed' ? (known.proof?.durationMs ?? 0) : 0
  return { leftMs: Math.max(shortestMs, wholeMs / 4), wholeMs }
}
