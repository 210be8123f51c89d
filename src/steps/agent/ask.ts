import { readlink, rm } from 'node:fs/promises'
import { dirname, isAbsolute, join, normalize } from 'node:path'
import type { CommitId } from '../../delivery/ids.ts'
import { ceilingReached, noUsage, uncountable } from '../../delivery/money/ledger.ts'
import { foldersAround } from '../../delivery/plan/validate.ts'
import type { AgentStep } from '../../delivery/step.ts'
import type { AgentResult } from '../../ports/agent-driver.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Ending } from '../../ports/performer.ts'
import type { Commits } from '../../ports/repository/commits.ts'
import { pathsOf } from '../../proof/files/change.ts'
import { tellsAgents } from '../../proof/inspection/protected.ts'
import { type Contract, lastWordText, type RoleAnswer, reworkText, scaffoldText } from '../../roles/answer/contract.ts'
import { readAnswer } from '../../roles/answer/read-answer.ts'
import { followUp, type Prompt } from '../../roles/prompt/prompt.ts'
import { overwrite } from '../check/run-check.ts'
import { inCleanPlace } from '../place/clean.ts'
import { type Fate, fateOf } from './failure.ts'
import { takeTurn } from './turn.ts'
import { type Asking, overrunBy, resultFileOf, writtenResult } from './turn-record.ts'

export interface RoleQuestion<Value> {
  prompt: Prompt
  contract: Contract<Value>
  /** For all its turns together; without: as its agent has for each. */
  timeoutMs?: number
}

/** `answered`: whether it can be used, its quality says. `failed`: there is none. All else is the step's ending. */
export type Answering<Value> = { type: 'answered'; answer: RoleAnswer<Value>; result: AgentResult } | Fate

/** What comes of an answer that can be used; else of there being none: what is wrong, one by one, and in a sentence. */
interface AnswerEnds<Value> {
  told: (value: Value, quality: 'full' | 'partial') => Ending | Promise<Ending>
  none: (problems: string[], why: string) => Ending
}

/** Asks the agent of a step, and makes an ending of what it answers. */
export async function askFor<Value>(
  work: Asking,
  question: RoleQuestion<Value>,
  { told, none }: AnswerEnds<Value>,
): Promise<Ending> {
  const asked = await askAgent(work, question)
  if (asked.type === 'failed') {
    const why = `the ${question.prompt.role}'s turn failed: ${asked.message}`
    return none(bounded([why]), why)
  }
  if (asked.type !== 'answered') return asked
  const { value, problems, quality } = asked.answer
  if (quality !== 'fallback') return await told(value, quality)
  return none(bounded(problems), `the answer is no ${question.contract.name}: ${problems.join('; ')}`)
}

/** What is wrong with an answer, as far as it goes into an event. */
export const bounded = (problems: string[]): string[] => problems.slice(0, 20).map((problem) => problem.slice(0, 1_000))

/**
 * An agent reads a commit, in a copy without our refs, and answers; what it changes there is dropped. An answer that
 * does not fit the contract is asked for again, in the same session and place, as often as `limits.answerRetries` says.
 */
export async function askAgent<Value>(work: Asking, question: RoleQuestion<Value>): Promise<Answering<Value>> {
  const { step, record, repository } = work
  const commit = readBy(step)
  return await inCleanPlace(work, { name: '', commit }, async (place) => {
    const held = await ordersAsBefore(repository, { place, base: step.base, commit })
    const begin = { ...question, ...boundOf(work, question), workspace: place, session: null, totals: null, again: 0 }
    const first = await takeTurn(work, begin)
    const asked = await settledAnswer(work, { ...question, place, first })
    const changed = await changedFiles(work, place, held)
    const text = `the ${question.prompt.role} changed files although it may only read; dropped: ${changed.slice(0, 5).join(', ')}`
    if (changed.length > 0) await record({ type: 'ConcernRaised', story: step.story, text })
    return asked
  })
}

const readBy = (step: AgentStep): CommitId => ('commit' in step ? step.commit : step.base)

/** The answer of a turn that is over, asked for again where it does not fit. */
export async function settledAnswer<Value>(
  work: Asking,
  { contract, place: workspace, first, ...question }: { place: string; first: AgentResult } & RoleQuestion<Value>,
): Promise<Answering<Value>> {
  const { answerRetries } = work.input.policy.limits
  let result = first
  let began: string | null = null
  let left = (question.timeoutMs ?? Number.POSITIVE_INFINITY) - first.durationMs
  let turns = 0
  let isLastWord = false
  let lacking: Answering<Value> | null = null
  const file = resultFileOf(work)
  const lastWord = boundOf(work, question, lastWordTurns)
  for (let again = 0; ; ) {
    const isCut: boolean = result.status === 'failed' && result.error?.kind === 'turns'
    const ending = isCut ? null : unanswered(work, result, began)
    if (ending !== null) return lacking ?? ending
    const text = work.world.redact(result.text)
    const answer = readAnswer(contract, { file: await writtenResult(work), text })
    const lacks = answer.value === null || again > 0 ? [] : (contract.lacks?.(answer.value) ?? [])
    const given: Answering<Value> = { type: 'answered', answer, result }
    if (answer.value !== null && (lacks.length === 0 || isCut || answerRetries === 0)) return given
    if (answer.value === null && lacking !== null) return lacking
    if (!isCut && again >= answerRetries) return given
    if (isCut && isLastWord) return failure('timeout', silent)
    if (lacks.length > 0) lacking = given
    const ceiling = await ceilingFor(work)
    if (ceiling !== null) return lacking ?? ceiling
    if (left <= 0)
      return lacking ?? failure('timeout', `its time is up, and its answer does not do: ${answer.problems.join('; ')}`)
    if (!mayStart(work)) return lacking ?? (isCut ? failure('timeout', silent) : given)
    const wrong = lacks.length > 0 ? lacks : answer.problems
    const told = isCut ? lastWordText(contract) : (again++ === 0 ? reworkText : scaffoldText)(contract, wrong)
    isLastWord ||= isCut
    const { spent, session } = result
    const takeAgain = async (resumed: string | null): Promise<void> => {
      await rm(file, { force: true })
      began = resumed
      turns += 1
      const prompt = promptAgain(question.prompt, { told, resumed: resumed !== null, file })
      const place = { workspace, session: resumed, totals: resumed === null ? null : spent.totals }
      result = await takeTurn(work, { ...place, contract, prompt, again: turns, timeoutMs: left, ...lastWord })
      left -= result.durationMs
    }
    await takeAgain(session)
    // Not every agent can go on with a session: then it is told all of it once more, in a fresh one.
    if (session !== null && isForgotten(result) && mayStart(work)) await takeAgain(null)
  }
}

/** To give an answer by a tool, to hear what is wrong with it, and to end. */
const lastWordTurns = 3

/** Challengers look, and answer in time; who builds on what they say has the time that it takes. */
const boundOf = (
  { input }: Asking,
  { prompt }: Pick<RoleQuestion<unknown>, 'prompt'>,
  most = input.policy.limits.challengerTurns,
): { modelTurns?: number } => (prompt.role === 'challenger' ? { modelTurns: most } : {})

const isForgotten = ({ status, error }: AgentResult): boolean =>
  status === 'failed' && (error?.kind === 'session' || error?.kind === 'bad-request')

function unanswered(work: Asking, result: AgentResult, began: string | null): Fate | null {
  if (result.status === 'finished') return null
  if (result.question === null) return fateOf(work, result, began)
  return failure('crash', `it asked: ${work.world.redact(result.question.text)}`)
}

/** Each time that an agent is asked again is a start as well. */
const mayStart = ({ standing, input }: Asking): boolean =>
  standing().agentStarts < input.policy.limits.agentStartsPerDelivery

const failure = (kind: 'timeout' | 'crash', message: string): Fate => ({ type: 'failed', kind, message, evidence: '' })

const silent = 'it has not answered within its turns (limits.challengerTurns), nor when it was asked for what it knew'

/** A turn of its own: it needs what the first one needed. Its money is still set aside. */
async function ceilingFor(work: Asking): Promise<Fate | null> {
  const { world, step, input } = work
  const { agents, ceilings } = input.policy
  const { money } = work.standing()
  const reserved = Object.entries(money.reserved).flatMap(([id, one]) => (id === step.id ? [] : [one]))
  const wanted = { story: step.story, usd: agents[step.agent]?.reserveUsd ?? 0 }
  const reached =
    uncountable(input.policy, money) ??
    ceilingReached({ money, reserved }, ceilings, wanted) ??
    (await overrunBy(work, { usage: noUsage, model: null, ms: 0 }))
  if (reached === null) return null
  const reason = `its answer does not do, and it is not asked again: the ceiling is reached: ${reached}`
  return { type: 'StepParked', step: step.id, story: step.story, until: world.clock.now(), reason }
}

/** Who has forgotten what it was asked is told all of it again. */
function promptAgain(first: Prompt, { told, resumed, file }: { told: string; resumed: boolean; file: string }): Prompt {
  const where = `Write it to the file named by ROPEWALK_RESULT (${file}); if you cannot, end your reply with it.`
  const text = `## Answer again\n\n${told}\n\n${where}\n`
  return followUp(first, resumed ? text : `${first.text}\n${text}`)
}

async function changedFiles({ repository, step }: Asking, place: string, held: string[]): Promise<string[]> {
  const commit = readBy(step)
  const only = (await repository.listFiles(commit)).filter((path) => !held.includes(path))
  const message = { subject: 'dropped', body: '', trailers: [], at: 0 }
  try {
    return (await repository.commitPlace({ path: place, commit, base: commit, only, message })).changed
  } catch (error) {
    // A link or a pipe in the place of a file is its own doing, and says nothing about its answer.
    if (error instanceof TerminalError) return ['something that is no file']
    throw error
  }
}

/**
 * In the copy of whoever judges a change, files that agents take orders from are as they were before it: their products
 * read them unasked, and no author tells its judges what to say. Returns which files that are, and what was in their way.
 */
export async function ordersAsBefore(
  repository: Commits,
  { place, base, commit }: { place: string; base: CommitId; commit: CommitId },
): Promise<string[]> {
  if (base === commit) return []
  const [before, after] = await Promise.all([repository.listFiles(base), repository.listFiles(commit)])
  if (![...before, ...after].some(tellsAgents)) return []
  const changes = await repository.diff(base, commit)
  const paths = new Set(changes.flatMap(pathsOf))
  const linked = await linkedFrom(
    place,
    after.filter((path) => tellsAgents(path) && !paths.has(path)),
  )
  const touched = [...paths].filter(
    (path) => tellsAgents(path) || linked.some((one) => path === one || path.startsWith(`${one}/`)),
  )
  // What the change has taken away is not there to remove: where it put a link for a folder, another's file would be.
  const there = touched.filter((path) => after.includes(path))
  for (const path of there) await rm(join(place, path), { recursive: true, force: true })
  for (const [path, text] of await repository.readFiles(base, touched)) await overwrite(place, { path, text })
  return touched.flatMap((path) => [path, ...foldersAround(path)])
}

/** Where such files lead to that are links, as they were before; not on through what the change may have put there. */
async function linkedFrom(place: string, paths: string[]): Promise<string[]> {
  const targets = paths.map(async (path) => {
    const target = await readlink(join(place, path)).catch(() => null)
    const real = target === null || isAbsolute(target) ? '.' : normalize(join(dirname(path), target))
    return real === '.' || real.startsWith('..') ? [] : [real.replace(/\/$/, '')]
  })
  return (await Promise.all(targets)).flat()
}
