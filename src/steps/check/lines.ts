import type { CommitId } from '../../delivery/ids.ts'
import type { CheckPolicy } from '../../delivery/policy.ts'
import type { Repository } from '../../ports/repository.ts'
import { packageFoldersOf } from '../../proof/related/packages.ts'

/** One command of a check, and the folder it runs in; empty: the root. */
export interface CheckLine {
  folder: string
  run: string
}

/** All of a check on a commit: at the root, or in each of its packages. */
export async function allLines(repository: Repository, check: CheckPolicy, commit: CommitId): Promise<CheckLine[]> {
  const folders = await checkFolders(repository, check, commit)
  return folders.map((folder) => ({ folder, run: check.run }))
}

export async function checkFolders(repository: Repository, check: CheckPolicy, commit: CommitId): Promise<string[]> {
  if (check.packages.length === 0) return ['']
  return packageFoldersOf(check.packages, await repository.listFiles(commit))
}

/** The check's commands as one would type them at the root, for those who want to know what they execute. */
export async function typedAtRoot(repository: Repository, check: CheckPolicy, commit: CommitId): Promise<string[]> {
  const folders = await checkFolders(repository, check, commit)
  const commands = [check.run, check.fix, check.related].filter((one) => one !== null)
  return folders.flatMap((folder) => commands.map((run) => (folder === '' ? run : `cd ${folder} && ${run}`)))
}
