import type { Outcome } from '../../delivery/events.ts'
import type { ContextItem, ContextTier, Harvest } from '../../delivery/intent/context.ts'
import type { Requirement } from '../../delivery/intent/requirement.ts'
import type { HarvestContext } from '../../delivery/intent/steps.ts'
import type { Commits, Searches } from '../../ports/repository/commits.ts'
import { requirementChecks, structuralSignals } from '../../proof/intent/clarity.ts'
import { conflictsWith, saysSomething } from '../../proof/intent/identity.ts'
import { taskTypeOf } from '../../proof/intent/question.ts'
import { wholePart } from '../../proof/intent/relevant-files.ts'
import { addressesIn } from '../../std/text/addresses.ts'
import type { StepWork } from '../work.ts'
import type { StepWorld } from '../world.ts'
import { type Gathered, gather, type LeftOut, readReferences } from './gather.ts'

/** What is known about the requirement is stored before its names are in the log: nobody reads what is not on record. */
export async function harvestContext(work: StepWork<HarvestContext, Commits & Searches>): Promise<Outcome> {
  const { world, input, step, repository, signal } = work
  const { policy, request } = input
  const { requirement } = request
  const { text } = requirement
  const [own, referred] = await Promise.all([
    gather(repository, { text, base: step.base, identity: policy.intent.identity }),
    readReferences(world, { addresses: addressesOf(requirement), policy, signal }),
  ])
  const { isPrefixed } = own
  const unreachable = [...own.unreachable, ...referred.unreachable]
  world.crashPoint('harvest:before-blobs')
  // What the requirement itself points to comes before other documents.
  const found = [...referred.found, ...own.found].map((one) => ({ ...one, text: world.redact(one.text) }))
  const { kept, left } = withinBudgets(found)
  const items = await Promise.all(kept.map((one) => stored(world, one)))
  const identity = kept.filter(({ tier }) => tier === 0)
  const conflicts = conflictsWith(text, identity).slice(0, 10)
  const hasIdentity = identity.some((one) => saysSomething(one.text))
  const around = {
    hasIdentity,
    unreachable: unreachable.map(({ source }) => source),
    conflicts: conflicts.map(({ holds }) => holds),
  }
  const context: Harvest = {
    ...{ workKind: taskTypeOf(text), hasIdentity, isPrefixed, clarity: requirementChecks(text) },
    signals: structuralSignals(text, around),
    ...{ items, left: [...referred.left, ...left].slice(0, 50), conflicts, unreachable },
    references: referred.references,
  }
  return { type: 'ContextHarvested', step: step.id, context }
}

/** Where it says so itself, and where it is written in it. */
const addressesOf = ({ text, body = '', links = [] }: Requirement): string[] => [
  ...links,
  ...addressesIn(text),
  ...addressesIn(body),
]

/** For one item, and for all of a tier. */
const budgets: Record<ContextTier, { each: number; all: number; count: number }> = {
  0: { each: 8_000, all: 28_000, count: 12 },
  1: { each: 8_000, all: 32_000, count: 10 },
  2: { each: 8_000, all: 16_000, count: 3 },
  3: { each: 2_000, all: 16_000, count: 12 },
}

/** Whole paragraphs, tier by tier; what does not fit is there to be asked for, and is listed. */
export function withinBudgets(found: Gathered[]): { kept: Gathered[]; left: LeftOut[] } {
  const used = new Map<ContextTier, { bytes: number; count: number }>()
  const kept: Gathered[] = []
  const left: LeftOut[] = []
  for (const one of found) {
    const { each, all, count } = budgets[one.tier]
    const so = used.get(one.tier) ?? { bytes: 0, count: 0 }
    const room = so.count >= count ? 0 : Math.min(each, all - so.bytes)
    const part = wholePart(one.text, room)
    if (part.text !== '') {
      kept.push({ ...one, text: part.text })
      used.set(one.tier, { bytes: so.bytes + Buffer.byteLength(part.text), count: so.count + 1 })
    }
    if (part.leftBytes > 0) left.push({ source: one.source, bytes: part.leftBytes, why: `no room in tier ${one.tier}` })
  }
  return { kept, left }
}

async function stored(world: StepWorld, { tier, source, text }: Gathered): Promise<ContextItem> {
  return { tier, source, digest: await world.blobs.put(text), bytes: Buffer.byteLength(text) }
}
