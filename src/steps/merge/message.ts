import type { CommitId } from '../../delivery/ids.ts'
import type { Authored } from '../../delivery/inputs/briefing.ts'
import type { WorkKind } from '../../delivery/intent/context.ts'
import type { Finding } from '../../delivery/judging/finding.ts'
import type { Story } from '../../delivery/plan/plan.ts'
import type { ComposeLine } from '../../delivery/step.ts'
import type { Ancestry, Author, FileChange, WholeCommit } from '../../ports/repository/commits.ts'
import type { Composer, Replay, Replayed } from '../../ports/repository/composing.ts'
import type { Refs } from '../../ports/repository/landings.ts'
import type { CommitMessage } from '../../ports/repository/workspaces.ts'
import { type Change, pathsOf } from '../../proof/files/change.ts'
import { isTest } from '../../proof/files/test-file.ts'
import { clutterFindings } from '../../proof/inspection/clutter.ts'
import { type SecretScanner, secretFindings } from '../../proof/inspection/secrets.ts'
import { hasPrefix } from '../../proof/intent/relevant-files.ts'
import { trailersIn } from '../../proof/statement.ts'
import { ownText } from '../../roles/coder/prompt.ts'
import { coversAny } from '../../std/glob.ts'
import { oneLine, plainText } from '../../std/text/plain-text.ts'
import { conflictedRefs } from '../place/refs.ts'
import type { Copies, StepWork } from '../work.ts'
import type { StepWorld } from '../world.ts'

/** Of a commit on its way: only the last one, on the line, is for people. */
export const workMessage = (input: Authored): CommitMessage => ({
  subject: subjectLine(input),
  body: '',
  trailers: [
    ['Ropewalk-Delivery', input.delivery],
    ['Ropewalk-Story', input.spec.id],
  ],
  at: seconds(input.request.at),
})

/** Of the one commit that a story becomes on the line. Only recorded facts go in, so it can be made again. */
export function finalMessage(
  input: Authored,
  { chain, changed }: { chain: { hash: string; at: number } | null; changed: string[] },
): CommitMessage {
  const message = workMessage(input)
  const body = bodyOf(input.spec, byPlan(input.spec, changed))
  if (chain === null) return { ...message, body }
  return { ...message, body, trailers: [...message.trailers, ['Ropewalk-Chain', chain.hash]], at: seconds(chain.at) }
}

/**
 * The hash of the last event that made or judged the story's own commit. It stands for the whole chain up to there,
 * and it is the same however often the commit is composed.
 */
export async function chainAt(
  { log }: StepWorld,
  { delivery, story, commit }: { delivery: string; story: string; commit: CommitId },
): Promise<{ hash: string; at: number } | null> {
  const types = ['StoryCoded' as const, 'StoryTidied' as const, 'Judged' as const]
  const recorded = await log.query({ delivery, story, types, after: 0, limit: 200, from: 'last' })
  const last = recorded.findLast(({ event }) => 'commit' in event && event.commit === commit)
  return last === undefined ? null : { hash: last.hash, at: last.at }
}

const seconds = (at: number): number => Math.floor(at / 1000)

const prefixes: Record<WorkKind, string> = {
  fix: 'fix',
  feature: 'feat',
  refactor: 'refactor',
  architectural: 'refactor',
  chore: 'chore',
}

const longestSubject = 72

/** One line, cut between words. */
export function subjectLine({ spec, prefix }: Pick<Authored, 'spec' | 'prefix'>): string {
  const plain = oneLine(spec.title, 1_000) || spec.id
  const line = hasPrefix(plain) || prefix === null ? plain : `${prefixes[prefix]}: ${plain}`
  if (line.length <= longestSubject) return line
  const head = line.slice(0, longestSubject - 1)
  const space = head.lastIndexOf(' ')
  return `${(space > longestSubject / 2 ? head.slice(0, space) : head).trimEnd()}…`
}

/** Tests and protected files that the approved plan let it change: whoever reads the commit must see both. */
export function byPlan({ mayChange }: Pick<Story, 'mayChange'>, changed: string[]): string {
  const allowed = [...new Set(changed)].filter((path) => coversAny(mayChange, path))
  const said = (what: string, isMeant: (path: string) => boolean): string[] => {
    const paths = allowed.filter(isMeant).map((path) => oneLine(path, 200))
    return paths.length === 0 ? [] : [`Changes ${what} by plan: ${paths.slice(0, 20).join(', ')}`]
  }
  return [...said('tests', isTest), ...said('protected files', (path) => !isTest(path))].join('\n')
}

/** A line of the description that looks like a trailer of ours must not become one. */
function bodyOf({ description, criteria }: Story, more: string): string {
  const text = plainText(description).trim().slice(0, 2_000)
  const list = criteria.slice(0, 20).map((criterion) => `- ${oneLine(criterion, 300)}`)
  return [text, list.join('\n'), more]
    .filter((part) => part !== '')
    .join('\n\n')
    .replace(ownTrailer, '$1Ropewalk ')
}

const ownTrailer = /^(\s*)Ropewalk-/gim

/** A message of the coder's, without words that are ours to say: those of an earlier composing go. */
export const coderMessage = (message: string): string =>
  `${plainText(message.slice(0, 20_000))
    .replace(/^Ropewalk-(?:Delivery|Story|Chain):.*\n?/gm, '')
    .replace(ownTrailer, '$1Ropewalk ')
    .trim()}\n`

export const isOwnMessage = (input: Authored, message: string): boolean =>
  message.split('\n', 1)[0] === subjectLine(input) && trailersIn(message).delivery === input.delivery

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
