import type { Finding } from '../../delivery/judging/finding.ts'
import type { ComposeLine } from '../../delivery/step.ts'
import type { Ancestry, FileChange } from '../../ports/repository/commits.ts'
import type { Composer, Replayed } from '../../ports/repository/composing.ts'
import type { Refs } from '../../ports/repository/landings.ts'
import { type Change, pathsOf } from '../../proof/files/change.ts'
import { clutterFindings } from '../../proof/inspection/clutter.ts'
import { type SecretScanner, secretFindings } from '../../proof/inspection/secrets.ts'
import { ownText } from '../../roles/prompt/rules.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import type { Copies, StepWork } from '../work.ts'

/** A story's change, as it is laid on the line. */
export type Laying = StepWork<ComposeLine, Copies & Ancestry & Composer & Refs>

/** The judges have seen the story as a whole: what a commit in between holds besides that, nobody has looked at. */
export async function contentProblem(
  { world, repository, step, input }: Laying,
  kept: Replayed[],
): Promise<string | null> {
  const { files } = input.spec
  const scan = await world.secrets()
  const [told] = await secretFindings(kept.flatMap(messageOf), scan)
  if (told !== undefined) return 'what looks like a secret is in the message of one of them'
  const whole = await repository.diff(step.base, step.commit)
  const paths = new Set(whole.flatMap(pathsOf))
  const known = new Set((await findingsOf(whole, files, scan)).map(({ fingerprint }) => fingerprint))
  const steps: FileChange[][] = []
  for (const { parent, commit } of kept) steps.push(await repository.diff(parent, commit))
  for (const [index, changes] of steps.slice(0, -1).entries()) {
    const gone = changes.flatMap(pathsOf).find((path) => !paths.has(path))
    if (gone !== undefined) return `${oneLine(gone, 200)} is in one of them, and not in what came of them`
    const hidden = unread(changes, steps.slice(index + 1).flat())
    if (hidden !== undefined)
      return `${oneLine(hidden, 200)} cannot be read in one of them, and is another file in the end`
    const [found] = (await findingsOf(changes, files, scan)).filter(({ fingerprint }) => !known.has(fingerprint))
    if (found !== undefined) return problemOf(found)
  }
  return null
}

/** To be read like a file that was added. */
const messageOf = ({ by }: Replayed): Change[] =>
  by === null
    ? []
    : [
        {
          ...{ path: 'the message', oldPath: null, status: 'added', binary: false },
          ...{ oldMode: null, newMode: '100644', before: null, after: by.message },
        },
      ]

/** Of the rules for a whole change those that hold for each part of it. */
async function findingsOf(changes: Change[], files: readonly string[], scan: SecretScanner): Promise<Finding[]> {
  return [...(await secretFindings(changes, scan)), ...clutterFindings(changes, { files, ownText })]
}

/** What is no text, or very large, was looked at only where it is the same in the end. */
const unread = (changes: Change[], later: Change[]): string | undefined =>
  changes.find(
    ({ path, status, after }) =>
      status !== 'deleted' && after === null && later.some((change) => pathsOf(change).includes(path)),
  )?.path

const problemOf = ({ rule, file, message }: Finding): string =>
  rule === 'secret'
    ? `what looks like a secret is in one of them (${oneLine(file ?? '', 200)})`
    : `in one of them, and not in what came of them: ${oneLine(message, 200)} (${oneLine(file ?? '', 200)})`
