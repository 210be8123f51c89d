import type { CommitId } from '../../../delivery/ids.ts'
import type { CheckPolicy } from '../../../delivery/policy.ts'
import type { Repository } from '../../../ports/repository.ts'
import { folderFor } from '../../../proof/related/packages.ts'
import { testFilesOf } from '../../../proof/related/related-tests.ts'
import { runnableBy } from '../../../proof/related/single-files.ts'
import type { Tree } from '../../../proof/related/tree.ts'
import { checkFolders } from '../lines.ts'
import { withSingleFiles } from './single-files.ts'

/** A check that is asked about single test files, or, where it cannot be, about all at once. */
export interface Asking {
  check: CheckPolicy
  folders: string[]
  /** The test files that it can run; null: only all of it. */
  tests: string[] | null
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
