import type { ContextItem, ContextTier } from '../../delivery/intent/context.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import type { Blobs } from '../../ports/blobs.ts'
import { fenced } from '../../roles/prompt/fence.ts'
import { type Section, section } from '../../roles/prompt/sections.ts'
import { isAddress } from './references.ts'

/** What the project says it is, as it was recorded before anybody read the requirement. */
export async function identitySection(blobs: Pick<Blobs, 'get'>, state: DeliveryState): Promise<Section> {
  return section('identity', 'What the project is', await partsOf(blobs, itemsOf(state, [0])))
}

/** What else was found then: the requirement's own sources, documents, code; and what there is besides. */
export async function contextSection(blobs: Pick<Blobs, 'get'>, state: DeliveryState): Promise<Section> {
  const { context } = state.intent
  // What the requirement points to has a section of its own.
  const isReferred = (source: string) => context?.references.some((one) => one.source === source) === true
  const items = itemsOf(state, [1, 2, 3]).filter(({ source }) => !isReferred(source))
  const parts = await partsOf(blobs, items)
  const notes = [
    ...(context?.conflicts ?? []).map(
      ({ about, holds, yields }) => `on ${about}: ${holds} — it holds against ${yields}`,
    ),
    ...(context?.unreachable ?? [])
      .filter((one) => !isAddress(one))
      .map(({ source, why }) => `could not be read: ${source} (${why})`),
    ...(context?.left ?? [])
      .filter(({ source }) => !isReferred(source))
      .map(({ source, bytes }) => `available, not shown: ${source} (${bytes} bytes)`),
  ]
  const noted =
    notes.length === 0
      ? []
      : [
          fenced(
            notes
              .map((note) => `- ${note}`)
              .join('\n')
              .slice(0, 6_000),
            'notes',
          ),
        ]
  return section('context', 'What was found about it', [...noted, ...parts])
}

const itemsOf = ({ intent }: DeliveryState, tiers: ContextTier[]): ContextItem[] =>
  (intent.context?.items ?? []).filter(({ tier }) => tiers.includes(tier))

async function partsOf(blobs: Pick<Blobs, 'get'>, items: ContextItem[]): Promise<string[]> {
  return await Promise.all(
    items.map(async ({ source, digest }) => {
      const bytes = await blobs.get(digest)
      const text = bytes === null ? '(no longer kept)' : Buffer.from(bytes).toString('utf8')
      return `${fenced(source, 'source')}\n${fenced(text, 'text')}`
    }),
  )
}
