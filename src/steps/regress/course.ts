import type { CommitId } from '../../delivery/ids.ts'
import type { Point } from '../../ports/proofs/regression.ts'
import { statementsIn } from '../../proof/statement-note.ts'
import type { RegressWorld } from './runs.ts'

type Landed = NonNullable<Point['story']>

/** The commits from the one before the first landed story after `since` to the tip. */
export async function courseOf(
  world: RegressWorld,
  { tip, since }: { tip: CommitId; since: CommitId | null },
): Promise<Point[]> {
  await world.clone.fetchCommit(tip)
  const line = await world.clone.firstParents(tip)
  const stories = await landedOn(
    world,
    line.map(({ commit }) => commit),
  )
  const points = line.map((one) => ({ ...one, story: stories.get(one.commit) ?? null }))
  const from = since === null ? 0 : await firstAfter(world, points, since)
  const first = points.findIndex(({ story }, index) => index >= Math.max(1, from) && story !== null)
  return first === -1 ? [] : points.slice(first - 1)
}

/** On the line, or merged into it. */
async function firstAfter({ clone }: RegressWorld, points: Point[], since: CommitId): Promise<number> {
  const index = points.findIndex(({ commit }) => commit === since)
  if (index !== -1) return index + 1
  await clone.fetchCommit(since)
  let [low, high] = [0, points.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (await clone.isAncestor(since, points[middle]!.commit)) high = middle
    else low = middle + 1
  }
  return low + 1
}

/** Whose story a commit is: by the log, which knows all commits of a story, else by the note on it. */
async function landedOn(world: RegressWorld, line: CommitId[]): Promise<Map<CommitId, Landed>> {
  const found = new Map<CommitId, Landed>()
  const places = new Map(line.map((commit, index) => [commit, index]))
  const query = { delivery: null, story: null, types: ['LineAdvanced' as const], after: 0, limit: 1_000_000 }
  for (const { delivery, event } of await world.log.query({ ...query, from: 'first' })) {
    const last = event.type === 'LineAdvanced' ? places.get(event.to) : undefined
    if (event.type !== 'LineAdvanced' || last === undefined || event.from === event.to) continue
    const before = places.get(event.from) ?? last - 1
    for (const commit of line.slice(before + 1, last + 1)) found.set(commit, { delivery, story: event.story })
  }
  await byNotes(world, line, found)
  return found
}

/** All at once: a history is long. What is noted for a story's last commit is for its earlier ones as well. */
async function byNotes({ clone }: RegressWorld, line: CommitId[], found: Map<CommitId, Landed>): Promise<void> {
  const notes = await clone.readNotes(line.filter((commit) => !found.has(commit)))
  for (const [commit, note] of notes) {
    const said = statementsIn(note).find(({ statement }) => statement.subject?.[0]?.digest?.gitCommit === commit)
    const proof = said?.statement.predicate?.ropewalk_proof
    if (proof === undefined) continue
    const landed = { delivery: String(proof.delivery), story: String(proof.story) }
    for (const one of [commit, ...partsBelow(line, commit, proof.parts)]) if (!found.has(one)) found.set(one, landed)
  }
}

/** Those that lie directly below it, whatever the note says besides. */
function partsBelow(line: CommitId[], commit: CommitId, parts: unknown): CommitId[] {
  if (!Array.isArray(parts)) return []
  const end = line.indexOf(commit)
  const below = line.slice(Math.max(0, end - parts.length), end)
  return below.every((one, index) => one === parts[index]) ? below : []
}
