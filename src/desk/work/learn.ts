import { rmSync } from 'node:fs'
import { book, setAsideMoney } from '../../engine/admit.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Learning, Lesson, Pass, Remembered } from '../../ports/memory.ts'
import { ledgerId } from '../choose-delivery.ts'
import { ownSearchId } from '../gc/searches.ts'
import { preflight } from '../prepare/preflight.ts'
import { freshDeliveryId, type LedgerSubject, openLedger } from '../prepare/request.ts'
import { readEverything, requireHome } from '../prepare/settings-layers.ts'
import { meanwhile, type Visit } from '../world.ts'

interface LearnAsked {
  passes: Pass[]
  /** Although nothing has changed since. */
  force: boolean
  signal: AbortSignal
}

/** Learns about the repository here, for the prompts of later deliveries. Null: interrupted. */
export async function learn(visit: Visit, { passes, force, signal }: LearnAsked): Promise<Lesson | null> {
  requireHome(visit.world.home)
  const learning = await visit.world.learning(visit.folder)
  if (passes.includes('model')) return await withModel(visit, learning, { passes, force, signal })
  // What is on the target counts: it is what deliveries begin with.
  const { layered } = await readEverything(visit, {}, visit.world.home)
  return await learning.learn({ commit: layered.base, passes, force, by: null })
}

/** What was learned about the repository here. */
export async function learned(visit: Visit): Promise<Remembered | null> {
  requireHome(visit.world.home)
  return await (await visit.world.learning(visit.folder)).recall()
}

async function withModel(visit: Visit, learning: Learning, { signal, ...request }: LearnAsked): Promise<Lesson | null> {
  const { policy, base, repository } = await preflight(visit, { unattended: true }, visit.world.home)
  const agent = policy.roles.interpreter[0] ?? policy.roles.planner[0]
  if (agent === undefined)
    throw new TerminalError('no agent is there to read it', 'name one under roles.interpreter in ropewalk.yaml')
  const { begin, spent, close } = ledger(visit, { repository, base, policy }, agent)
  const by = { policy, agent, signal, begin, spent }
  const reading = learning.learn({ commit: base, ...request, by })
  const [read] = await Promise.allSettled([meanwhile(visit, `${agent} reads the repository …`, reading)])
  await close()
  await tidyUp(visit, learning)
  if (read.status === 'fulfilled') return read.value
  if (signal.aborted) return null
  throw read.reason
}

/** What it costs counts for the ceilings of the day, as what deliveries cost does. */
function ledger(visit: Visit, about: Pick<LedgerSubject, 'repository' | 'base' | 'policy'>, agent: string) {
  const { world } = visit
  const delivery = ledgerId('learn', freshDeliveryId(''))
  let close = async () => {}
  return {
    begin: async () => {
      await openLedger(visit, { delivery, text: 'Learn about this repository', ...about })
      const aside = await setAsideMoney(await world.engine(() => {}), { delivery, policy: about.policy, agent })
      if (aside.status === 'reached')
        throw new TerminalError(
          `no agent is asked, because a ceiling is reached: ${aside.ceiling}`,
          'raise it under ceilings in ropewalk.yaml, or learn without --model',
        )
      close = aside.release
    },
    spent: async (turn: Parameters<typeof book>[2]) =>
      await book(await world.intake(), { delivery, actor: visit.user }, turn),
    close: () => close(),
  }
}

/** What the reader had on disk. */
async function tidyUp({ world }: Visit, { repository }: Learning): Promise<void> {
  const folders = world.folders(ownSearchId())
  const clone = await (await world.repositories(world.home)).open(repository)
  await clone.removePlaces(folders.places)
  for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true })
}
