import type { WorkKind } from '../../delivery/intent/context.ts'
import { workKindOf } from '../../delivery/intent/meaning.ts'
import type { Story } from '../../delivery/plan/plan.ts'
import { type DeliveryState, storyOf } from '../../delivery/state.ts'
import type { CommitMessage } from '../../ports/repository.ts'
import { isTest } from '../../proof/files/test-file.ts'
import { hasPrefix } from '../../proof/intent/identity.ts'
import { trailersIn } from '../../proof/statement/problems.ts'
import { coversAny } from '../../std/glob.ts'
import { oneLine, plainText } from '../../std/text/plain-text.ts'
import { requestOf } from '../place/request.ts'

/** Of a commit on its way: only the last one, on the line, is for people. */
export function workMessage(state: DeliveryState, story: string): CommitMessage {
  const { spec } = storyOf(state, story)
  return {
    subject: subjectOf(spec, prefixOf(state)),
    body: '',
    trailers: trailersOf(state, story),
    at: seconds(requestOf(state).at),
  }
}

/** Of the one commit that a story becomes on the line. Only recorded facts go in, so it can be made again. */
export function finalMessage(
  state: DeliveryState,
  story: string,
  { chain, changed }: { chain: { hash: string; at: number } | null; changed: string[] },
): CommitMessage {
  const { spec } = storyOf(state, story)
  const trailers = trailersOf(state, story)
  if (chain !== null) trailers.push(['Ropewalk-Chain', chain.hash])
  return {
    subject: subjectOf(spec, prefixOf(state)),
    body: bodyOf(spec, byPlan(spec, changed)),
    trailers,
    at: seconds(chain?.at ?? requestOf(state).at),
  }
}

const trailersOf = (state: DeliveryState, story: string): [string, string][] => [
  ['Ropewalk-Delivery', state.id],
  ['Ropewalk-Story', story],
]

const seconds = (at: number): number => Math.floor(at / 1000)

/** The kind of work, where the repository's own commits begin with it. */
function prefixOf({ intent }: DeliveryState): string {
  const kind = intent.context?.isPrefixed === true ? workKindOf(intent) : null
  return kind === null ? '' : `${prefixes[kind]}: `
}

const prefixes: Record<WorkKind, string> = {
  fix: 'fix',
  feature: 'feat',
  refactor: 'refactor',
  architectural: 'refactor',
  chore: 'chore',
}

const longestSubject = 72

/** One line, cut between words. */
export function subjectOf({ id, title }: Pick<Story, 'id' | 'title'>, prefix: string): string {
  const plain = oneLine(title, 1_000) || id
  const line = hasPrefix(plain) ? plain : `${prefix}${plain}`
  if (line.length <= longestSubject) return line
  const head = line.slice(0, longestSubject - 1)
  const space = head.lastIndexOf(' ')
  return `${(space > longestSubject / 2 ? head.slice(0, space) : head).trimEnd()}…`
}

/** Tests and protected files that the approved plan let it change: whoever reads the commit must see both. */
export function byPlan({ mayChange }: Pick<Story, 'mayChange'>, changed: string[]): string {
  const allowed = [...new Set(changed)].filter((path) => coversAny(mayChange, path))
  const said = (what: string, paths: string[]): string[] =>
    paths.length === 0
      ? []
      : [
          `Changes ${what} by plan: ${paths
            .slice(0, 20)
            .map((path) => oneLine(path, 200))
            .join(', ')}`,
        ]
  return [
    ...said('tests', allowed.filter(isTest)),
    ...said(
      'protected files',
      allowed.filter((path) => !isTest(path)),
    ),
  ].join('\n')
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

const longestMessage = 20_000

/** A message of the coder's, without words that are ours to say: those of an earlier composing go. */
export const coderMessage = (message: string): string =>
  `${plainText(message.slice(0, longestMessage))
    .replace(/^Ropewalk-(?:Delivery|Story|Chain):.*\n?/gm, '')
    .replace(ownTrailer, '$1Ropewalk ')
    .trim()}\n`

/** Whether the message is one of ours. */
export const isOwnMessage = (state: DeliveryState, story: string, message: string): boolean =>
  message.split('\n', 1)[0] === subjectOf(storyOf(state, story).spec, prefixOf(state)) &&
  trailersIn(message).delivery === state.id
