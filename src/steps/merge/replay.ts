import type { Finding } from '../../delivery/judging/finding.ts'
import type { ComposeLine } from '../../delivery/step.ts'
import type { Ancestry, Author, FileChange, WholeCommit } from '../../ports/repository/commits.ts'
import type { Composer, Replay, Replayed } from '../../ports/repository/composing.ts'
import type { Refs } from '../../ports/repository/landings.ts'
import { type Change, pathsOf } from '../../proof/files/change.ts'
import { clutterFindings } from '../../proof/inspection/clutter.ts'
import { type SecretScanner, secretFindings } from '../../proof/inspection/secrets.ts'
import { ownText } from '../../roles/coder/prompt.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { conflictedRefs } from '../place/refs.ts'
import type { Copies, StepWork } from '../work.ts'
import { coderMessage, isOwnMessage } from './message.ts'

const most = 100

/**
 * The commits that the coder made, to be laid on the line one by one. `squashed`: why they cannot be. Both null: there
 * are none, or nobody wants them.
 */
export async function replayOf(
  work: Laying,
  addition: string,
): Promise<{ replay: Replay | null; squashed: string | null }> {
  const { input, step, repository } = work
  const none = { replay: null, squashed: null }
  if (input.policy.mergeMethod !== 'rebase') return none
  const commits = await repository.commits({ from: step.base, to: step.commit, limit: most + 1 })
  const kept = await keptOf(work, commits)
  if (kept.every(({ by }) => by === null)) return none
  const squashed =
    shapeProblem(step, commits) ?? (await conflictProblem(work, commits)) ?? (await contentProblem(work, kept))
  if (squashed !== null) return { replay: null, squashed }
  return { replay: { commits: kept.map((one) => redacted(work, one)), addition }, squashed: null }
}

/** Without those that change nothing; of our own that follow each other only the last, with the change of all. */
async function keptOf({ input, step, repository }: Laying, commits: WholeCommit[]): Promise<Replayed[]> {
  let before = await repository.treeOf(step.base)
  const kept: Replayed[] = []
  for (const { commit, parents, tree, author, message } of commits) {
    const changes = tree !== before
    before = tree
    if (!changes) continue
    const own = isOwnMessage(input, message) || coderMessage(message).trim() === ''
    const last = kept.at(-1)
    const joins = own && last?.by === null
    const parent = joins ? kept.pop()!.parent : parents[0]!
    kept.push({ commit, parent, by: own ? null : { author: asAuthor(author), message: coderMessage(message) } })
  }
  return kept
}

/** Git refuses an author without a name. */
function asAuthor({ name, email, date }: Author): Author {
  const sound = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)
  return {
    name: sound(name) ? name : 'unknown',
    email: sound(email) ? email : 'unknown',
    date: /^\d{1,10} [+-]\d{4}$/.test(date) ? date : '0 +0000',
  }
}

function shapeProblem({ base }: ComposeLine, commits: WholeCommit[]): string | null {
  if (commits.length > most) return `there are more than ${most} of them`
  const merge = commits.find(({ parents }) => parents.length !== 1)
  if (merge !== undefined) return `${nameOf(merge)} is a merge`
  return commits[0]?.parents[0] === base ? null : 'they do not begin where the story began'
}

/** A commit with both sides of a conflict in it is none that anybody should see. */
async function conflictProblem({ input, step, repository }: Laying, commits: WholeCommit[]): Promise<string | null> {
  const refs = await repository.refs(conflictedRefs(input.delivery, step.story))
  const conflicted = new Set(refs.map(({ commit }) => commit))
  return commits.some(({ commit }) => conflicted.has(commit)) ? 'a conflict with the line had to be settled' : null
}

const nameOf = ({ commit, message }: WholeCommit): string =>
  `${commit.slice(0, 10)} (${oneLine(message.split('\n', 1)[0]!, 72)})`

const redacted = ({ world }: Laying, one: Replayed): Replayed =>
  one.by === null ? one : { ...one, by: { ...one.by, message: world.redact(one.by.message) } }

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
