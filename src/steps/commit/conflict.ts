import type { Finding } from '../../delivery/judging/finding.ts'
import type { ComposeLine } from '../../delivery/step.ts'
import type { Conflict } from '../../ports/repository.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { asFinding } from '../as-finding.ts'
import type { Work } from '../work.ts'
import { evidenceOf, whatToDo } from './conflict-words.ts'

const lookedAt = 20

/** One finding per file, with what both sides wanted there. */
export async function conflictFindings(
  work: Work<ComposeLine>,
  { files, declined }: { files: Conflict[]; declined: ReadonlyMap<string, string> },
): Promise<Finding[]> {
  const intents = await intentsByFile(work)
  return files.map((file) => finding(file, intents.get(file.path) ?? [], declined.get(file.path) ?? ''))
}

/** Files of which one version has to go: whoever reads the report must be able to look whether it was the right one. */
export const mustChoose = (files: Conflict[]): string[] =>
  files
    .filter(isWhole)
    .map(({ path }) => `${oneLine(path, 300)} cannot be merged: see that the right version of it was chosen`)

const isWhole = ({ kind }: Conflict): boolean => kind === 'binary' || kind === 'pointer' || kind === 'submodule'

/** Which stories, and which commits of other people, changed a file since the story began. */
async function intentsByFile({ input, step, repository }: Work<ComposeLine>): Promise<Map<string, string[]>> {
  const commits = await repository.history({ from: step.base, to: step.onto, limit: lookedAt })
  const intents = new Map<string, string[]>()
  for (const { commit, parent, subject } of commits)
    for (const { path, oldPath } of await repository.diff(parent, commit))
      for (const file of oldPath === null ? [path] : [path, oldPath])
        intents.set(file, [...(intents.get(file) ?? []), input.titles[commit] ?? oneLine(subject, 100)])
  return intents
}

function finding(file: Conflict, intents: string[], because: string): Finding {
  const { path, kind } = file
  const others = intents.length === 0 ? 'what is on the line' : intents.map((title) => `"${title}"`).join(', ')
  const reason = because === '' ? '' : ` No rule settles it: ${because}.`
  return asFinding({
    ...{ source: 'compose', rule: 'conflict', file: path, key: ['compose', 'conflict', path, kind] },
    message: `conflict (${kind}) in ${oneLine(path, 300)} with ${others}: ${whatToDo(file)}${reason}`,
    evidence: evidenceOf(file),
    fixTarget: isWhole(file) ? 'story' : 'code',
  })
}
