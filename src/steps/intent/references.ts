import type { Reference } from '../../delivery/intent/context.ts'
import type { Policy } from '../../delivery/policy.ts'
import type { WebPage } from '../../ports/web.ts'
import { pageText } from '../../proof/intent/page.ts'
import type { StepWorld } from '../world.ts'
import type { Gathered, LeftOut, Unreachable } from './gather.ts'

export interface Referred {
  found: Gathered[]
  references: Reference[]
  left: LeftOut[]
  unreachable: Unreachable[]
}

type Reading = Pick<StepWorld, 'web' | 'blobs' | 'redact'>

const most = 10
const mostListed = 20
const bounds = { timeoutMs: 10_000, mostBytes: 512 * 1024, redirects: 5 }

/** What the addresses in a requirement lead to, read all at once and stored; what cannot be read holds nobody up. */
export async function readReferences(
  world: Reading,
  { addresses, policy, signal }: { addresses: string[]; policy: Policy; signal: AbortSignal },
): Promise<Referred> {
  const all = [...new Map(addresses.map((address) => [address.split('#')[0]!, address])).entries()]
  const closed = closedBy(policy)
  const unread = all.slice(closed === null ? most : 0).map(([, address]) => address)
  const why = closed ?? `only the first ${most} addresses are read`
  const read = await Promise.all(
    all.slice(0, closed === null ? most : 0).map(async ([address, source]) => {
      const page = await (await world.web()).read(address, { reach: reachOf(policy), ...bounds, signal })
      return await frozen(world, world.redact(source), page)
    }),
  )
  // Whoever aborts wants no outcome, and what was broken off is none.
  signal.throwIfAborted()
  return {
    found: read.flatMap(({ found }) => found),
    references: read.flatMap(({ references }) => references),
    left: read.flatMap(({ left }) => left),
    unreachable: [...read.flatMap(({ unreachable }) => unreachable), ...listed(unread.map(world.redact), why)],
  }
}

const reachOf = ({ intent }: Policy): 'public' | 'any' => (intent.fetch === 'any' ? 'any' : 'public')

/** Why no address is read at all; null: they are. */
function closedBy({ intent, egress }: Policy): string | null {
  if (egress === 'closed') return 'the settings close the network (egress); put it into a file'
  return intent.fetch === 'none' ? 'the settings have no addresses read (intent.fetch); put it into a file' : null
}

function listed(sources: string[], why: string): Unreachable[] {
  const more = sources.length - mostListed
  return [
    ...sources.slice(0, mostListed).map((source) => ({ source, why })),
    ...(more > 0 ? [{ source: `${more} more addresses`, why }] : []),
  ]
}

async function frozen({ blobs, redact }: Reading, source: string, page: WebPage): Promise<Referred> {
  if (page.status === 'unreachable') return lost(source, page.why)
  const { type, whole } = page
  const text = pageText(page)
  if (text === null && !whole) return lost(source, `it is no text, and longer than ${bounds.mostBytes / 1024} KiB`)
  if (text !== null ? text.trim() === '' : page.bytes.length === 0) return lost(source, 'there is nothing in it')
  const content = text === null ? page.bytes : redact(text.trim())
  const digest = await blobs.put(content)
  const bytes = Buffer.byteLength(content)
  const reference = { source, type, digest, bytes, isText: text !== null, whole }
  return {
    ...nothing,
    references: [reference],
    ...(typeof content === 'string'
      ? { found: [{ tier: 2, source, text: content }] }
      : { left: [{ source, bytes, why: `no text (${type || 'of no known kind'})` }] }),
  }
}

const nothing: Referred = { found: [], references: [], left: [], unreachable: [] }

const lost = (source: string, why: string): Referred => ({ ...nothing, unreachable: [{ source, why }] })
