import type { Finding, Verdict } from '../../delivery/judging/finding.ts'
import type { Review } from '../../delivery/step.ts'
import type { Ending } from '../../ports/performer.ts'
import { isTestFile } from '../../proof/related/related-tests.ts'
import { isSupport, subjectOf } from '../../proof/witness/subject.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import {
  isQuoted,
  type VerdictAnswer,
  type VerdictClaim,
  verdictContract,
  verifierPrompt,
} from '../../roles/verifier.ts'
import { askFor } from '../agent/ask.ts'
import { settingFor } from '../agent/setting.ts'
import { asFinding } from '../as-finding.ts'
import type { StepWork } from '../work.ts'
import { longestPatch } from './change.ts'

type Reviewing = StepWork<Review>

/** An agent that has written nothing of it judges a story's commit, in a clean copy and a session of its own. */
export async function review(work: Reviewing): Promise<Ending> {
  const { id: step, story, judge, commit, tree } = work.step
  const patch = await patchOf(work)
  const judged = (verdict: Verdict): Ending => ({
    ...{ type: 'Judged', step, story, judge, commit, tree, verdict },
    scope: 'story',
  })
  return await askFor(
    work,
    { contract: verdictContract(commit), prompt: await promptFor(work, patch) },
    {
      told: async (answer) => judged(await verdictIn(work, patch, answer)),
      none: (_, why) => judged(none(why)),
    },
  )
}

export const verdictPrompt = async (work: Reviewing): Promise<Prompt> => promptFor(work, await patchOf(work))

const patchOf = async ({ world, step, repository }: Reviewing): Promise<string> =>
  world.redact(await repository.patch(step.base, step.commit, longestPatch))

async function promptFor(work: Reviewing, patch: string): Promise<Prompt> {
  const { input, step, repository } = work
  const tests = subjectOf(await repository.diff(step.base, step.commit)).tests.map(({ path }) => path)
  const brief = { story: input.spec, commit: step.commit, silences: await silencesOf(work), patch, tests }
  return verifierPrompt(brief, await settingFor(work, 'verifier'))
}

/** Why the tries that this one repeats were no verdict. */
async function silencesOf({ world, input, step }: Reviewing): Promise<string[]> {
  if (step.retry === 0) return []
  const about = { delivery: input.delivery, story: step.story, types: ['Judged' as const] }
  const events = await world.log.query({ ...about, after: 0, limit: step.retry, from: 'last' })
  return events.flatMap(({ event }) =>
    event.type === 'Judged' && event.verdict.status === 'none' ? [event.verdict.reason] : [],
  )
}

const none = (reason: string): Verdict => ({ status: 'none', reason: reason.slice(0, 1_000) })

async function verdictIn(work: Reviewing, patch: string, answer: VerdictAnswer): Promise<Verdict> {
  if (answer.verdict === 'passed') return { status: 'passed', proof: null, concerns: [] }
  const found = await Promise.all(answer.findings.map((claim) => findingOf(work, claim, patch)))
  const blocking = found.filter(({ severity }) => severity === 'blocking')
  if (blocking.length === 0) return none('it quotes nothing that is in the change or the files it names')
  return { status: 'findings', findings: found, failures: blocking.length, proof: null, concerns: [] }
}

/** What cannot be looked up is no finding; that it was said is kept as a note. */
async function findingOf(
  { step, repository }: Reviewing,
  { file: named, line, message, evidence }: VerdictClaim,
  patch: string,
): Promise<Finding> {
  const file = named.replace(/^\.\//, '')
  const text = await repository.readFile(step.commit, file)
  const holds = isQuoted(evidence, text === null ? [patch] : [text, patch])
  const said = message.slice(0, 2_000)
  return asFinding({
    ...{ source: 'verifier', file: text === null ? null : file, line: text === null ? null : line },
    rule: holds ? 'verifier' : 'verifier-unfounded',
    severity: holds ? 'blocking' : 'note',
    message: holds ? said : `left out, because what it quotes is not there: ${said}`,
    evidence: evidence.slice(0, 4_000),
    fixTarget: isTestFile(file, text) || isSupport(file) ? 'tests' : 'code',
    key: ['verifier', file, message],
  })
}
