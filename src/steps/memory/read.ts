import type { CommitId } from '../../delivery/ids.ts'
import { unbriefed } from '../../delivery/inputs/briefing.ts'
import type { DraftPlan } from '../../delivery/step.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { LearnRequest } from '../../ports/memory/learning.ts'
import type { Fact, Remembered } from '../../ports/memory/memory.ts'
import type { Repository } from '../../ports/repository.ts'
import { exampleText } from '../../roles/answer/told.ts'
import { learnerContract } from '../../roles/learner.ts'
import { fenced } from '../../roles/prompt/fence.ts'
import { assemble, type Prompt } from '../../roles/prompt/prompt.ts'
import { section } from '../../roles/prompt/sections.ts'
import { ask } from '../agent/ask.ts'
import { type Asking, resultFileOf } from '../agent/transcript.ts'
import { settingFor } from '../brief/setting.ts'
import { nothingStanding } from '../work.ts'
import type { StepWorld } from '../world.ts'

export interface Reader {
  known: { id: string; path: string }
  repository: Repository
  /** Names this search for facts, and nothing else. */
  id: string
  mark: string
}

/** One turn of an agent that reads a commit and says what is worth knowing; no delivery stands behind it. */
export async function readByModel(
  world: StepWorld,
  { known, repository, id, mark }: Reader,
  { by, commit, remembered }: { by: NonNullable<LearnRequest['by']>; commit: CommitId; remembered: Remembered },
): Promise<{ facts: Fact[]; usd: number | null }> {
  await by.begin()
  let usd: number | null = null
  const requirement = { text: '', source: '', submitter: '' }
  const request = { requirement, repository: known, target: '', base: commit, review: null, at: 0 }
  const who = { agent: by.agent, model: null, because: '' }
  const work: Learner = {
    ...{ world, repository, try: 1, mark, signal: by.signal, standing: nothingStanding },
    step: { id: 'learn', verb: 'DraftPlan', story: null, ...who, base: commit, revision: 0, turn: 0, feedback: [] },
    input: unbriefed({ delivery: id, request, policy: by.policy }),
    record: async (event) => {
      if (event.type !== 'TurnSpent') return
      usd = (usd ?? 0) + event.turn.usd
      await by.spent(event)
    },
  }
  const question = { role: 'learner', prompt: await promptFor(work, remembered), contract: learnerContract }
  const asked = await ask(work, { commit, ...question, attempt: 1, round: 1 })
  if (asked.type === 'answered' && asked.answer.value !== null) return { facts: asked.answer.value.facts, usd }
  const why = asked.type === 'answered' ? asked.answer.problems.join('; ') : reasonOf(asked)
  throw new TerminalError(
    `${by.agent} has said nothing that can be used: ${why}`,
    'Look at `ropewalk agents`, then try again.',
  )
}

const reasonOf = (asked: { type: string; message?: string; reason?: string }): string =>
  asked.message ?? asked.reason ?? asked.type

type Learner = Asking<DraftPlan>

async function promptFor(work: Learner, remembered: Remembered): Promise<Prompt> {
  const facts = [remembered.passes.static, remembered.passes.history].flatMap((learned) => learned?.facts ?? [])
  const file = resultFileOf(work)
  return assemble('learner', await settingFor(work, 'learner'), [
    section(
      'memory',
      'What is known already, and need not be said again',
      facts.map(({ about, text }) => fenced(`${about}: ${text}`, 'fact')),
    ),
    section('answer', 'How to answer', [
      [
        `Write JSON to the file named by ROPEWALK_RESULT (${file}); if you cannot write it, end your reply with the same JSON in one fenced block:`,
        exampleText(learnerContract),
      ].join('\n'),
    ]),
  ])
}
