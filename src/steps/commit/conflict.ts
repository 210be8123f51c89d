import type { Finding } from '../../delivery/judging/finding.ts'
import type { ComposeLine } from '../../delivery/step.ts'
import type { Performance } from '../../ports/performer.ts'
import type { ConflictFile, Repository } from '../../ports/repository.ts'
import { hashOf } from '../../std/hash.ts'

const lookedAt = 20

/** One finding per file, with what the line wanted there. */
export async function conflictFindings(
  performance: Performance<ComposeLine>,
  repository: Repository,
  files: ConflictFile[],
): Promise<Finding[]> {
  const intents = await intentsByFile(performance, repository)
  return files.map((file) => finding(file, intents.get(file.path) ?? []))
}

/** Which stories on the line changed a file, by their titles. */
async function intentsByFile(
  { state }: Performance<ComposeLine>,
  repository: Repository,
): Promise<Map<string, string[]>> {
  const commits = state.line.commits.slice(-lookedAt).map((one, index, all) => ({
    ...one,
    title: state.stories[one.story]?.spec.title ?? one.story,
    parent: all[index - 1]?.commit ?? state.line.commits.at(-lookedAt - 1)?.commit ?? state.line.target,
  }))
  const intents = new Map<string, string[]>()
  for (const { commit, parent, title } of commits)
    for (const { path, oldPath } of await repository.diff(parent, commit))
      for (const file of oldPath === null ? [path] : [path, oldPath])
        intents.set(file, [...(intents.get(file) ?? []), title])
  return intents
}

function finding({ path, kind, detail }: ConflictFile, intents: string[]): Finding {
  const others = intents.length === 0 ? 'what is on the line' : intents.map((title) => `"${title}"`).join(', ')
  return {
    source: 'compose',
    rule: 'conflict',
    severity: 'blocking',
    file: path,
    line: null,
    message: `conflict (${kind}) in ${path} with ${others}: ${whatToDo(kind)}`,
    evidence: detail,
    fingerprint: hashOf(['compose', 'conflict', path, kind]),
    fixTarget: kind === 'binary' ? 'story' : 'code',
  }
}

const whatToDo = (kind: ConflictFile['kind']): string =>
  kind === 'binary'
    ? 'a binary file cannot be merged; one of the two versions must be chosen as it is'
    : 'the file is there with both sides; keep what each of them wants and leave no conflict marker'
