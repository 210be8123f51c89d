import type { CommitId } from '../delivery/ids.ts'
import type { LearnedFact, Learning, LearnRequest, Lesson, Memory, Pass, Remembered } from '../ports/memory.ts'
import type { Commits, Searches } from '../ports/repository/commits.ts'
import { historyFacts } from '../proof/memory/history-facts.ts'
import { isWorthReading, staticFacts } from '../proof/memory/static-facts.ts'
import { hashOf } from '../std/hash.ts'
import { never } from '../std/never.ts'

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
