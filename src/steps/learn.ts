import type { CommitId } from '../delivery/ids.ts'
import { unbriefed } from '../delivery/inputs/briefing.ts'
import type { DraftPlan } from '../delivery/step.ts'
import { TerminalError } from '../ports/errors.ts'
import type { LearnedFact, Learning, LearnRequest, Lesson, Memory, Pass, Remembered } from '../ports/memory.ts'
import type { Commits, Searches } from '../ports/repository/commits.ts'
import { historyFacts, isWorthReading, staticFacts } from '../proof/repository-facts.ts'
import { learnerContract, learnerPrompt } from '../roles/learner.ts'
import { hashOf } from '../std/hash.ts'
import { never } from '../std/never.ts'
import { askAgent } from './agent/ask.ts'
import { settingFor } from './agent/setting.ts'
import type { Asking } from './agent/turn-record.ts'
import { aloneWith, type Copies } from './work.ts'
import type { StepWorld } from './world.ts'

export interface LearningWorld {
  known: { id: string; path: string }
  repository: Commits & Searches
  memory: Memory
  now: () => number
  /** Whoever learns may have read a secret: nothing of it is kept. */
  redact: (text: string) => string
  /** An agent reads the commit, knowing what is remembered. */
  read: (
    by: NonNullable<LearnRequest['by']>,
    about: { commit: CommitId; remembered: Remembered },
  ) => Promise<{ facts: LearnedFact[]; usd: number | null }>
}

const newest = 500

export function openLearning(world: LearningWorld): Learning {
  return {
    repository: world.known,
    recall: () => world.memory.recall(world.known.id),
    learn: (request) => learn(world, request),
  }
}

async function learn(world: LearningWorld, request: LearnRequest): Promise<Lesson> {
  const { memory, known, now, redact } = world
  const { commit, passes, force } = request
  let remembered: Remembered = (await memory.recall(known.id)) ?? { repository: known.id, passes: {} }
  const anew: Pass[] = []
  let usd: number | null = null
  for (const pass of passes) {
    const source = await sourceOf(world, request, { pass, remembered })
    if (!force && remembered.passes[pass]?.inputs === source.inputs) continue
    const told = await source.facts()
    usd = told.usd ?? usd
    const learned = {
      at: now(),
      commit,
      inputs: source.inputs,
      facts: told.facts.map(({ about, text }) => ({ about: redact(about), text: redact(text) })),
    }
    remembered = { ...remembered, passes: { ...remembered.passes, [pass]: learned } }
    await memory.keep(remembered)
    anew.push(pass)
  }
  return { remembered, anew, usd }
}

interface Source {
  inputs: string
  facts: () => Promise<{ facts: LearnedFact[]; usd: number | null }>
}

async function sourceOf(
  world: LearningWorld,
  { commit, by }: LearnRequest,
  { pass, remembered }: { pass: Pass; remembered: Remembered },
): Promise<Source> {
  const { repository } = world
  switch (pass) {
    case 'static': {
      const files = await repository.listFiles(commit)
      const found = await repository.readFiles(commit, files.filter(isWorthReading))
      const texts = new Map([...found].map(([path, bytes]) => [path, Buffer.from(bytes).toString('utf8')]))
      return {
        inputs: hashOf([files, [...texts]]),
        facts: async () => ({ facts: staticFacts(files, texts), usd: null }),
      }
    }
    case 'history': {
      const facts = async () => historyFacts(await repository.recentChanges({ commit, limit: newest }))
      return { inputs: hashOf([commit, newest]), facts: async () => ({ facts: await facts(), usd: null }) }
    }
    case 'model': {
      if (by === null) throw new Error('nobody was named to read')
      const inputs = hashOf([await repository.treeOf(commit), by.agent])
      return { inputs, facts: () => world.read(by, { commit, remembered }) }
    }
    default:
      return never(pass)
  }
}

export interface FactSearch {
  known: { id: string; path: string }
  repository: Copies
  /** Names this search for facts, and nothing else. */
  id: string
  mark: string
}

/** One turn of an agent that reads a commit and says what is worth knowing; no delivery stands behind it. */
export async function readByModel(
  world: StepWorld,
  { known, repository, id, mark }: FactSearch,
  { by, commit, remembered }: { by: NonNullable<LearnRequest['by']>; commit: CommitId; remembered: Remembered },
): Promise<{ facts: LearnedFact[]; usd: number | null }> {
  await by.begin()
  let usd: number | null = null
  const requirement = { text: '', source: '', submitter: '' }
  const request = { requirement, repository: known, target: '', base: commit, review: null, at: 0 }
  const who = { agent: by.agent, model: null, because: '' }
  const work: Asking<DraftPlan> = {
    ...aloneWith({ world, repository, mark, signal: by.signal }),
    step: { id: 'learn', verb: 'DraftPlan', story: null, ...who, base: commit, revision: 1, turn: 0, feedback: [] },
    input: unbriefed({ delivery: id, request, policy: by.policy }),
    record: async (event) => {
      if (event.type !== 'TurnSpent') return
      usd = (usd ?? 0) + event.turn.usd
      await by.spent(event)
    },
  }
  const facts = [remembered.passes.static, remembered.passes.history].flatMap((learned) => learned?.facts ?? [])
  const prompt = learnerPrompt(facts, await settingFor(work, 'learner'))
  const asked = await askAgent(work, { prompt, contract: learnerContract })
  if (asked.type === 'answered' && asked.answer.value !== null) return { facts: asked.answer.value.facts, usd }
  const ended = asked.type === 'answered' ? asked.answer.problems : ['reason' in asked ? asked.reason : asked.message]
  throw new TerminalError(
    `${by.agent} has said nothing that can be used: ${ended.join('; ')}`,
    'Look at `ropewalk agents`, then try again.',
  )
}
