import { added, type Hunk, mergeSequences, same } from './three-way.ts'

interface Lists {
  base: readonly string[]
  ours: readonly string[]
  theirs: readonly string[]
}

/** Names of a map in the order of ours, with what theirs has besides behind the name it follows there. */
export function arrangeNames({ base, ours, theirs }: Lists): string[] {
  const inTheirs = new Set(theirs)
  const [known, before] = [new Set(ours), new Set(base)]
  const kept = ours.filter((name) => inTheirs.has(name) || !before.has(name))
  const more = theirs.filter((name) => !known.has(name) && !before.has(name))
  if (isSorted(ours) && isSorted(theirs) && more.length > 0) return [...kept, ...more].sort(byCode)
  const fresh = new Set(kept.filter((name) => !inTheirs.has(name)))
  const result = [...kept]
  for (const name of more) result.splice(placeFor(name, { theirs, result, fresh }), 0, name)
  return result
}

/** Behind the name that it follows in theirs, and behind what ours has added there. */
function placeFor(
  name: string,
  { theirs, result, fresh }: { theirs: readonly string[]; result: string[]; fresh: Set<string> },
): number {
  const earlier = theirs.slice(0, theirs.indexOf(name)).findLast((one) => result.includes(one))
  let place = earlier === undefined ? 0 : result.indexOf(earlier) + 1
  while (place < result.length && fresh.has(result[place]!)) place++
  return place
}

/**
 * The items of a list in their order; null when the two sides contradict each other. Both may add at the same place
 * only where the list is a set: nothing twice, and each item means something by itself.
 */
export function arrangeItems(lists: Lists, isSet: boolean): string[] | null {
  const unique = isSet && [lists.base, lists.ours, lists.theirs].every((list) => new Set(list).size === list.length)
  const sorted = lists.base.length > 1 && isSorted(lists.base) && isSorted(lists.ours) && isSorted(lists.theirs)
  const merged = mergeSequences(lists, (hunk) => (unique ? joined(hunk) : null))
  if (merged === null || !unique) return merged
  const once = [...new Set(merged)]
  if (!same([...once].sort(byCode), survivors(lists).sort(byCode))) return null
  // An item that both have moved, to different places, would be there twice.
  if (merged.length - once.length > both(lists)) return null
  return sorted ? once.sort(byCode) : once
}

/** Both add, and nobody takes away; or one of them only takes away. */
function joined({ base, ours, theirs }: Hunk): string[] | null {
  const [byOurs, byTheirs] = [added(base, ours), added(base, theirs)]
  const removes = (side: string[]): boolean => base.some((item) => !side.includes(item))
  if (byOurs.length > 0 && byTheirs.length > 0 && (removes(ours) || removes(theirs))) return null
  return arrangeNames({ base, ours, theirs })
}

function survivors({ base, ours, theirs }: Lists): string[] {
  const [b, o, t] = [new Set(base), new Set(ours), new Set(theirs)]
  return [...new Set([...ours, ...theirs])].filter((item) => (b.has(item) ? o.has(item) && t.has(item) : true))
}

/** How many items both sides have added. */
function both({ base, ours, theirs }: Lists): number {
  const [before, others] = [new Set(base), new Set(theirs)]
  return ours.filter((item) => !before.has(item) && others.has(item)).length
}

const byCode = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const isSorted = (list: readonly string[]): boolean =>
  list.length > 0 && list.every((item, index) => index === 0 || byCode(list[index - 1]!, item) <= 0)
