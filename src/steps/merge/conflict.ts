import type { Finding } from '../../delivery/judging/finding.ts'
import type { Conflict, Side } from '../../ports/repository/composing.ts'
import { pathsOf } from '../../proof/files/change.ts'
import { patchOf } from '../../proof/merging/three-way.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { asFinding } from '../as-finding.ts'
import { lockToolFor } from './locks.ts'
import type { Laying } from './message.ts'

/** One finding per file, with what both sides wanted there. */
export async function conflictFindings(
  work: Laying,
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
async function intentsByFile({ input, step, repository }: Laying): Promise<Map<string, string[]>> {
  const commits = await repository.history({ from: step.base, to: step.onto, limit: 20 })
  const intents = new Map<string, string[]>()
  for (const { commit, parent, subject } of commits)
    for (const file of (await repository.diff(parent, commit)).flatMap(pathsOf))
      intents.set(file, [...(intents.get(file) ?? []), input.titles[commit] ?? oneLine(subject, 100)])
  return intents
}

function finding(file: Conflict, intents: string[], because: string): Finding {
  const { path, kind } = file
  const others = intents.length === 0 ? 'what is on the line' : intents.map((title) => `"${title}"`).join(', ')
  const reason = because === '' ? '' : ` No rule settles it: ${because}.`
  return asFinding({
    ...{ source: 'compose', rule: 'conflict', file: path, key: ['compose', 'conflict', path, kind] },
    message: `conflict (${kind}) in ${oneLine(path, 300)} with ${others}: ${whatToDo[kind](file)}${reason}`,
    evidence: evidenceOf(file),
    fixTarget: isWhole(file) ? 'story' : 'code',
  })
}

/** What lies in the workspace, whose it is, and what is to be done with it. */
const whatToDo: Record<Conflict['kind'], (conflict: Conflict) => string> = {
  content: ({ path }) =>
    lockToolFor(path) === null
      ? 'the file is there with both sides; keep what each of them wants and leave no conflict marker'
      : 'what is there is only something to start from, and the manifest has both sides',
  delete: ({ ours }) =>
    ours === null
      ? 'it was deleted or renamed on the line, and this story changes it; its version is there: move the change to where it belongs now, or delete the file'
      : 'this story deletes or renames it, and it was changed on the line; that version is there: keep that change, where it belongs now, or delete the file',
  rename: () =>
    'the two sides have given it, or put into its place, different names; leave it under one of them, with the changes of both',
  mode: () => 'it is of different kinds on the two sides (a file, an executable, a link); leave one of them',
  binary: (one) => `it cannot be merged, and must be chosen as a whole: ${choice(one)}`,
  pointer: (one) => `it stands for a large file, which cannot be merged, and must be chosen as a whole: ${choice(one)}`,
  submodule: ({ ours, theirs }) =>
    `a submodule cannot be merged; the line has it at ${ours?.object ?? 'no commit'}, this story at ${theirs?.object ?? 'no commit'}: one of them must be chosen`,
  link: ({ ours, theirs }) =>
    `the link points to ${shown(ours)} on the line, and to ${shown(theirs)} in this story; leave one of them`,
  name: () => 'many machines take the two names for one file; put both into one, or rename one of them',
  other: () => 'see what git says; leave what both sides want',
}

function choice({ path, ours, theirs }: Conflict): string {
  const mine =
    theirs === null
      ? ''
      : `, or take this story's (${theirs.bytes} bytes) with: git cat-file blob ${theirs.object} > ${quoted(path)}`
  return `the line's version${ours === null ? '' : ` (${ours.bytes} bytes)`} is there; leave it${mine}`
}

const quoted = (path: string): string => `'./${path.replaceAll("'", "'\\''")}'`
const shown = (side: Side | null): string => JSON.stringify(side?.text ?? 'nothing')

const longest = 3_000

/** What git says, and what each side has made of the file. Of what is no text, nothing is shown. */
function evidenceOf({ kind, path, detail, base, ours, theirs }: Conflict): string {
  const isText = kind === 'content' || kind === 'delete' || kind === 'rename'
  if (!isText || lockToolFor(path) !== null) return detail.slice(0, longest)
  const parts = [
    ['The line has made this of it', ours],
    ['This story has made this of it', theirs],
  ] as const
  const made = parts.map(([title, side]) => `${title}:\n${changeOf(base, side)}`)
  return [detail.slice(0, longest), ...made].join('\n\n')
}

function changeOf(base: Side | null, side: Side | null): string {
  if (side === null) return '(it is not there under this name)'
  if (side.text === null || base?.text === null) return '(no short text)'
  const patch = patchOf(base?.text ?? '', side.text)
  return patch.length > longest ? `${patch.slice(0, longest)}\n[cut]` : patch || '(nothing)'
}
