import type { Outcome } from '../../delivery/events.ts'
import type { ContextItem, ContextTier, Harvest } from '../../delivery/intent/context.ts'
import type { Policy } from '../../delivery/policy.ts'
import type { HarvestContext } from '../../delivery/step.ts'
import { TransientError } from '../../ports/errors.ts'
import type { Commits, Searches } from '../../ports/repository/commits.ts'
import type { WebPage } from '../../ports/web.ts'
import { requirementChecks, structuralSignals } from '../../proof/intent/clarity.ts'
import { pageText } from '../../proof/intent/page.ts'
import { taskTypeOf } from '../../proof/intent/question.ts'
import {
  conflictsWith,
  identityFiles,
  isPrefixed,
  linksIn,
  type RankedFile,
  rankFiles,
  rareWords,
  sampleOf,
  saysSomething,
  uncommon,
  wholePart,
} from '../../proof/intent/relevant-files.ts'
import { missingDocuments } from '../../proof/intent/wording.ts'
import { addressesIn } from '../../std/text/addresses.ts'
import type { StepWork } from '../work.ts'
import type { StepWorld } from '../world.ts'

/** What is known about the requirement is stored before its names are in the log: nobody reads what is not on record. */
export async function harvestContext(work: StepWork<HarvestContext, Commits & Searches>): Promise<Outcome> {
  const { world, input, step } = work
  const { text, body = '', links = [] } = input.request.requirement
  // Where it says so itself, and where it is written in it.
  const addresses = [...links, ...addressesIn(text), ...addressesIn(body)]
  const [own, referred] = await Promise.all([gather(work, text), readReferences(work, addresses)])
  const unreachable = [...own.unreachable, ...referred.unreachable]
  world.crashPoint('harvest:before-blobs')
  // What the requirement itself points to comes before other documents.
  const found = [...referred.found, ...own.found].map((one) => ({ ...one, text: world.redact(one.text) }))
  const { kept, left } = withinBudgets(found)
  const items = await Promise.all(
    kept.map(async ({ tier, source, text }): Promise<ContextItem> => {
      return { tier, source, digest: await world.blobs.put(text), bytes: Buffer.byteLength(text) }
    }),
  )
  const identity = kept.filter(({ tier }) => tier === 0)
  const conflicts = conflictsWith(text, identity).slice(0, 10)
  const hasIdentity = identity.some((one) => saysSomething(one.text))
  const signals = structuralSignals(text, {
    hasIdentity,
    unreachable: unreachable.map(({ source }) => source),
    conflicts: conflicts.map(({ holds }) => holds),
  })
  const context: Harvest = {
    ...{
      workKind: taskTypeOf(text),
      hasIdentity,
      isPrefixed: own.isPrefixed,
      clarity: requirementChecks(text),
      signals,
    },
    ...{ items, left: [...referred.left, ...left].slice(0, 50), conflicts, unreachable },
    references: referred.references,
  }
  return { type: 'ContextHarvested', step: step.id, context }
}

/** For one item, and for all of a tier. */
const budgets: Record<ContextTier, { each: number; all: number; count: number }> = {
  0: { each: 8_000, all: 28_000, count: 12 },
  1: { each: 8_000, all: 32_000, count: 10 },
  2: { each: 8_000, all: 16_000, count: 3 },
  3: { each: 2_000, all: 16_000, count: 12 },
}

/** Whole paragraphs, tier by tier; what does not fit is there to be asked for, and is listed. */
function withinBudgets(found: Gathered[]): { kept: Gathered[]; left: LeftOut[] } {
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

interface Gathered {
  tier: ContextTier
  source: string
  text: string
}

type LeftOut = Harvest['left'][number]
type Unreachable = Harvest['unreachable'][number]

/** All that the repository says about a requirement, the weightiest first within each tier. */
async function gather(
  { repository, input, step }: StepWork<HarvestContext, Commits & Searches>,
  text: string,
): Promise<{ found: Gathered[]; unreachable: Unreachable[]; isPrefixed: boolean }> {
  const { base } = step
  const files = await repository.listFiles(base)
  const own = identityFiles(files, input.policy.intent.identity).slice(0, mostIdentity)
  const unreachable = missingDocuments(text, files).map((source) => ({ source, why: 'it is not in the repository' }))
  const linked = linksIn(text, files)
    .filter((path) => !own.includes(path))
    .slice(0, mostLinked)
  const sample = sampleOf(files)
  const read = await repository.readFiles(base, [...own, ...linked, ...sample])
  const words = uncommon(
    rareWords(text),
    sample.flatMap((path) => textOf(read.get(path)) ?? []),
  )
  const searched = repository.search({ commit: base, words, perFile: linesPerFile })
  const lines = await listedIfLate('the code', searched, unreachable)
  const ranked = rankFiles(lines, { words, files }).filter(({ path }) => ![...own, ...linked].includes(path))
  const isDocument = ({ path }: RankedFile): boolean => /\.(?:md|mdx|txt|rst|adoc)$/i.test(path)
  const documents = ranked
    .filter(isDocument)
    .map(({ path }) => path)
    .slice(0, mostDocuments)
  const code = ranked.filter((one) => !isDocument(one)).slice(0, mostCode)
  const about = [...linked, ...code.slice(0, 3).map(({ path }) => path)]
  const touching = (paths: string[], limit: number) => repository.touching({ commit: base, paths, limit })
  const [more, history, last] = await Promise.all([
    repository.readFiles(base, documents),
    about.length === 0 ? [] : listedIfLate('the history', touching(about, mostCommits), unreachable),
    touching([], 20),
  ])
  const contents = new Map([...read, ...more])
  const fileAs = (tier: ContextTier) => (path: string) => asText(tier, path, textOf(contents.get(path)) ?? '')
  const commits = history.map(({ commit, day, subject }) => `${commit.slice(0, 10)} ${day} ${subject}`)
  return {
    found: [
      ...own.flatMap(fileAs(0)),
      ...linked.flatMap(fileAs(1)),
      ...asText(1, `history of ${about.join(', ')}`, commits.join('\n')),
      ...documents.flatMap(fileAs(2)),
      ...code.map(asLines),
    ],
    isPrefixed: isPrefixed(last.map(({ subject }) => subject)),
    unreachable,
  }
}

/** A source that does not answer in time holds nobody up; that it was not heard is on record. */
async function listedIfLate<T>(source: string, asked: Promise<T[]>, unreachable: Unreachable[]): Promise<T[]> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof TransientError)) throw error
    unreachable.push({ source, why: error.message })
    return []
  }
}

const linesPerFile = 6
const mostIdentity = 40
const mostLinked = 12
const mostDocuments = 6
const mostCode = 24
const mostCommits = 12

const asText = (tier: ContextTier, source: string, text: string): Gathered[] =>
  text.trim() === '' ? [] : [{ tier, source, text: text.trim() }]

/** What is no text is not read by anybody. */
const textOf = (bytes: Uint8Array | undefined): string | null =>
  bytes === undefined || bytes.includes(0) ? null : Buffer.from(bytes).toString('utf8')

const asLines = ({ path, words, lines }: RankedFile): Gathered => ({
  tier: 3,
  source: path,
  text: [
    `${path} (${words.join(', ')})`,
    ...lines.map(({ line, text }) => `${line}: ${text.trim().slice(0, 200)}`),
  ].join('\n'),
})

type Referred = Pick<Harvest, 'references' | 'left' | 'unreachable'> & { found: Gathered[] }
type Reading = Pick<StepWork<HarvestContext>, 'signal'> & {
  world: Pick<StepWorld, 'web' | 'blobs' | 'redact'>
  input: { policy: Policy }
}

const most = 10
const mostListed = 20
const bounds = { timeoutMs: 10_000, mostBytes: 512 * 1024, redirects: 5 }

/** What the addresses in a requirement lead to, read all at once and stored; what cannot be read holds nobody up. */
async function readReferences({ world, input, signal }: Reading, addresses: string[]): Promise<Referred> {
  const { policy } = input
  const all = [...new Map(addresses.map((address) => [address.split('#')[0]!, address])).entries()]
  const closed = closedBy(policy)
  const few = closed === null ? most : 0
  const unread = all.slice(few).map(([, address]) => world.redact(address))
  const reach = policy.intent.fetch === 'any' ? 'any' : 'public'
  const read = await Promise.all(
    all.slice(0, few).map(async ([address, source]) => {
      const page = await (await world.web()).read(address, { reach, ...bounds, signal })
      return await frozen(world, world.redact(source), page)
    }),
  )
  // Whoever aborts wants no outcome, and what was broken off is none.
  signal.throwIfAborted()
  const why = closed ?? `only the first ${most} addresses are read`
  return {
    found: read.flatMap(({ found }) => found),
    references: read.flatMap(({ references }) => references),
    left: read.flatMap(({ left }) => left),
    unreachable: [...read.flatMap(({ unreachable }) => unreachable), ...listed(unread, why)],
  }
}

/** Why no address is read at all; null: they are. */
function closedBy({ intent, egress }: Policy): string | null {
  if (egress === 'closed') return 'the settings close the network (egress); put it into a file'
  return intent.fetch === 'none' ? 'the settings have no addresses read (intent.fetch); put it into a file' : null
}

function listed(sources: string[], why: string): Unreachable[] {
  const more = sources.length - mostListed
  const named = [...sources.slice(0, mostListed), ...(more > 0 ? [`${more} more addresses`] : [])]
  return named.map((source) => ({ source, why }))
}

async function frozen({ blobs, redact }: Reading['world'], source: string, page: WebPage): Promise<Referred> {
  const nothing: Referred = { found: [], references: [], left: [], unreachable: [] }
  const lost = (why: string): Referred => ({ ...nothing, unreachable: [{ source, why }] })
  if (page.status === 'unreachable') return lost(page.why)
  const { type, whole } = page
  const text = pageText(page)
  if (text === null && !whole) return lost(`it is no text, and longer than ${bounds.mostBytes / 1024} KiB`)
  const content = text === null ? page.bytes : redact(text.trim())
  if (content.length === 0) return lost('there is nothing in it')
  const digest = await blobs.put(content)
  const bytes = Buffer.byteLength(content)
  const references = [{ source, type, digest, bytes, isText: text !== null, whole }]
  return typeof content === 'string'
    ? { ...nothing, references, found: [{ tier: 2, source, text: content }] }
    : { ...nothing, references, left: [{ source, bytes, why: `no text (${type || 'of no known kind'})` }] }
}
