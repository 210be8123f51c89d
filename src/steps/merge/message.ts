import type { CommitId } from '../../delivery/ids.ts'
import type { Authored } from '../../delivery/inputs/briefing.ts'
import type { WorkKind } from '../../delivery/intent/context.ts'
import type { Story } from '../../delivery/plan/plan.ts'
import type { CommitMessage } from '../../ports/repository/workspaces.ts'
import { isTest } from '../../proof/files/test-file.ts'
import { hasPrefix } from '../../proof/intent/relevant-files.ts'
import { trailersIn } from '../../proof/statement.ts'
import { coversAny } from '../../std/glob.ts'
import { oneLine, plainText } from '../../std/text/plain-text.ts'
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
