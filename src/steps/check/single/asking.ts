import type { CommitId } from '../../../delivery/ids.ts'
import type { CheckPolicy } from '../../../delivery/policy.ts'
import type { Commits } from '../../../ports/repository/commits.ts'
import { join } from '../../../proof/files/change.ts'
import { folderFor } from '../../../proof/related/packages.ts'
import { testFilesOf } from '../../../proof/related/related-tests.ts'
import { runnableBy, singleFilesCommand } from '../../../proof/related/single-files.ts'
import type { Tree } from '../../../proof/related/tree.ts'
import { checkFolders } from '../run-check.ts'

/** A check that is asked about single test files, or, where it cannot be, about all at once. */
export interface CheckAsked {
  check: CheckPolicy
  folders: string[]
  /** The test files that it can run; null: only all of it. */
  tests: string[] | null
}

/** How a check is asked about the tests of a commit. */
export async function askingOf(
  repository: Commits,
  check: CheckPolicy,
  at: { base: CommitId; commit: CommitId; tree: Tree },
): Promise<CheckAsked> {
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

const settings = [
  ...['package.json', '.mocharc.json', '.mocharc.yml', '.mocharc.yaml', '.mocharc.js', '.mocharc.cjs'],
  ...['GNUmakefile', 'makefile', 'Makefile'],
]

/** The check with a command for single files, which its owner gave or its runner is known to have; null: it has none. */
export async function withSingleFiles(
  repository: Commits,
  check: CheckPolicy,
  /** Whose scripts count: the base's, which no story has written. */
  commit: CommitId,
): Promise<(CheckPolicy & { related: string }) | null> {
  if (check.related !== null) return { ...check, related: check.related }
  const commands = new Set<string | null>()
  for (const folder of await checkFolders(repository, check, commit)) {
    const texts = await repository.readFiles(
      commit,
      settings.map((name) => join(folder, name)),
    )
    const named = [...texts].map(([path, bytes]) => [path.slice(path.lastIndexOf('/') + 1), textOf(bytes)] as const)
    commands.add(singleFilesCommand({ run: check.run, files: Object.fromEntries(named) }))
  }
  const [related] = commands
  return commands.size === 1 && typeof related === 'string' ? { ...check, related } : null
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
