import type { CommitId } from '../../delivery/ids.ts'
import type { Point } from '../../ports/proofs/regression.ts'
import { statementsIn } from '../../proof/statement/note.ts'
import type { RegressWorld } from './world.ts'

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
  for (const commit of line) if (!found.has(commit)) await byNote(world, commit, found)
  return found
}

const longestNote = 1024 * 1024

async function byNote({ user }: RegressWorld, commit: CommitId, found: Map<CommitId, Landed>): Promise<void> {
  const note = await user.readNote(commit, longestNote)
  const said = statementsIn(note?.text ?? '').find(
    ({ statement }) => statement.subject?.[0]?.digest?.gitCommit === commit,
  )
  const proof = said?.statement.predicate?.ropewalk_proof
  if (proof !== undefined) found.set(commit, { delivery: String(proof.delivery), story: String(proof.story) })
}
