import type { CommitId } from '../../../delivery/ids.ts'
import type { Policy } from '../../../delivery/policy.ts'
import type { SortedFile } from '../../../ports/proofs/material.ts'
import type { Repository } from '../../../ports/repository.ts'
import { scriptClosure } from '../../../proof/files/script-closure.ts'
import { needsTree, sortFiles, tellsHow } from '../../../proof/material/sort-files.ts'
import { typedAtRoot } from '../lines.ts'
import { readTree } from '../related.ts'

/** Every file of a commit as the guard would sort it. */
export async function materialOf(
  repository: Repository,
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
