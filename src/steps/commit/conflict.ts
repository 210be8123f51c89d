import type { Finding } from '../../delivery/judging/finding.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { storiesOf } from '../../delivery/state.ts'
import type { ComposeLine } from '../../delivery/step.ts'
import type { Performance } from '../../ports/performer.ts'
import type { Conflict, Repository } from '../../ports/repository.ts'
import { hashOf } from '../../std/hash.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { evidenceOf, whatToDo } from './conflict-words.ts'

const lookedAt = 20

/** One finding per file, with what both sides wanted there. */
export async function conflictFindings(
  performance: Performance<ComposeLine>,
  repository: Repository,
  { files, declined }: { files: Conflict[]; declined: ReadonlyMap<string, string> },
): Promise<Finding[]> {
  const intents = await intentsByFile(performance, repository)
  return files.map((file) => finding(file, intents.get(file.path) ?? [], declined.get(file.path) ?? ''))
}

/** Files of which one version has to go: whoever reads the report must be able to look whether it was the right one. */
export const mustChoose = (files: Conflict[]): string[] =>
  files
    .filter(isWhole)
    .map(({ path }) => `${oneLine(path, 300)} cannot be merged: see that the right version of it was chosen`)

const isWhole = ({ kind }: Conflict): boolean => kind === 'binary' || kind === 'pointer' || kind === 'submodule'

/** Which stories, and which commits of other people, changed a file since the story began. */
async function intentsByFile(
  { state, step }: Performance<ComposeLine>,
  repository: Repository,
): Promise<Map<string, string[]>> {
  const titles = titlesByCommit(state)
  const commits = await repository.history({ from: step.base, to: step.onto, limit: lookedAt })
  const intents = new Map<string, string[]>()
  for (const { commit, parent, subject } of commits)
    for (const { path, oldPath } of await repository.diff(parent, commit))
      for (const file of oldPath === null ? [path] : [path, oldPath])
        intents.set(file, [...(intents.get(file) ?? []), titles.get(commit) ?? oneLine(subject, 100)])
  return intents
}

function titlesByCommit(state: DeliveryState): Map<string, string> {
  const onLine = state.line.commits.map(
    ({ commit, story }) => [commit, state.stories[story]?.spec.title ?? story] as const,
  )
  const others = storiesOf(state).flatMap(({ control, spec }) => {
    if (control.status === 'merged') return [[control.commit, spec.title] as const]
    return control.status === 'proving' ? [[control.composed.commit, spec.title] as const] : []
  })
  return new Map([...onLine, ...others])
}

function finding(file: Conflict, intents: string[], because: string): Finding {
  const { path, kind } = file
  const others = intents.length === 0 ? 'what is on the line' : intents.map((title) => `"${title}"`).join(', ')
  const reason = because === '' ? '' : ` No rule settles it: ${because}.`
  return {
    source: 'compose',
    rule: 'conflict',
    severity: 'blocking',
    file: path,
    line: null,
    message: `conflict (${kind}) in ${oneLine(path, 300)} with ${others}: ${whatToDo(file)}${reason}`,
    evidence: evidenceOf(file),
    fingerprint: hashOf(['compose', 'conflict', path, kind]),
    fixTarget: isWhole(file) ? 'story' : 'code',
  }
}
