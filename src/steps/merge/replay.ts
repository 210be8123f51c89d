import type { ComposeLine } from '../../delivery/step.ts'
import type { Author, WholeCommit } from '../../ports/repository/commits.ts'
import type { Replay, Replayed } from '../../ports/repository/composing.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { conflictedRefs } from '../place/refs.ts'
import type { Laying } from './in-between.ts'
import { contentProblem } from './in-between.ts'
import { coderMessage, isOwnMessage } from './message.ts'

const most = 100

/** `squashed`: why the coder's commits cannot be laid one by one. Both null: there are none, or nobody wants them. */
export interface Replaying {
  replay: Replay | null
  squashed: string | null
}

const none: Replaying = { replay: null, squashed: null }

/** The commits that the coder made, to be laid on the line one by one. */
export async function replayOf(work: Laying, addition: string): Promise<Replaying> {
  const { input, step, repository } = work
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
