import { added, declined, type Hunk, merged, mergeSequences, type Resolution, same, type Texts } from './three-way.ts'

/** What becomes of a value: one side's as it is, or ours with parts of both. */
export type Merged<S> =
  | { kind: 'ours' | 'theirs'; node: Node<S> }
  | { kind: 'map'; ours: Node<S>; theirs: Node<S>; entries: { key: string; value: Merged<S> }[] }
  | { kind: 'list'; ours: Node<S>; theirs: Node<S>; items: Merged<S>[] }

/** How a format is read, and how what was merged may be written in it. */
export interface Notation<S> {
  read(text: string): Node<S> | null
  /** The first that says exactly what the two structures make together is taken. */
  written(merged: Merged<S>, texts: Texts): Iterable<string>
  /** Names of maps whose order means something, wherever they are. */
  ordered: readonly string[]
  /** Why nothing is merged: what one side may be, and what its layout does not allow. */
  unread: string
  unwritten: string
}

interface Sides<S> {
  base: Node<S> | null
  ours: Node<S>
  theirs: Node<S>
}

/** Three-way, name by name. Where the two sides say different things about one name, nothing is guessed. */
export function mergeByStructure<S>(texts: Texts, notation: Notation<S>): Resolution {
  const { read, written, ordered, unread, unwritten } = notation
  const [base, ours, theirs] = [texts.base === null ? null : read(texts.base), read(texts.ours), read(texts.theirs)]
  if (ours === null || theirs === null || (texts.base !== null && base === null)) return declined(unread)
  const contradictions: string[] = []
  const structure = mergeNodes({ base, ours, theirs }, { path: '', contradictions, ordered })
  if (contradictions.length > 0) return declined(contradictions.slice(0, 5).join('; '))
  const wanted = idOf(structure)
  for (const text of written(structure, texts)) {
    const node = read(text)
    if (node !== null && idOf(node) === wanted) return merged(text, 'structure')
  }
  return declined(unwritten)
}

interface Where {
  path: string
  contradictions: string[]
  ordered: readonly string[]
}

function mergeNodes<S>({ base, ours, theirs }: Sides<S>, where: Where): Merged<S> {
  const [b, o, t] = [base === null ? null : idOf(base), idOf(ours), idOf(theirs)]
  if (o === t || b === t) return { kind: 'ours', node: ours }
  if (ours.kind === 'map' && theirs.kind === 'map' && (base === null || base.kind === 'map'))
    return mergeMaps({ base, ours, theirs }, where)
  if (b === o) return { kind: 'theirs', node: theirs }
  if (base?.kind === 'list' && ours.kind === 'list' && theirs.kind === 'list')
    return mergeLists({ base, ours, theirs }, where)
  return contradiction(ours, where, 'both sides changed it differently')
}

function contradiction<S>(ours: Node<S>, { path, contradictions }: Where, what: string): Merged<S> {
  contradictions.push(`${path === '' ? 'the whole' : path}: ${what}`)
  return { kind: 'ours', node: ours }
}

type Kind<S, K extends Node<S>['kind']> = Extract<Node<S>, { kind: K }>

type Three<Part> = Record<'base' | 'ours' | 'theirs', Part>
type Named<S> = Three<Map<string, Node<S>>>

function mergeMaps<S>(
  { base, ours, theirs }: { base: Kind<S, 'map'> | null; ours: Kind<S, 'map'>; theirs: Kind<S, 'map'> },
  where: Where,
): Merged<S> {
  const byName = (map: Kind<S, 'map'> | null) => new Map(map?.entries.map(({ key, value }) => [key, value]))
  const named = { base: byName(base), ours: byName(ours), theirs: byName(theirs) }
  const names = { base: [...named.base.keys()], ours: [...named.ours.keys()], theirs: [...named.theirs.keys()] }
  const entries = arranged(names, where).map((key) => {
    const inner = { ...where, path: where.path === '' ? key : `${where.path}.${key}` }
    return { key, value: mergeEntry(key, named, inner) }
  })
  for (const key of names.base) checkRemoved(key, named, where)
  return { kind: 'map', ours, theirs, entries }
}

/** Names that one side removed and the other changed are a contradiction, so they are not lost here. */
function arranged(names: { base: string[]; ours: string[]; theirs: string[] }, where: Where): string[] {
  const order = arrangeNames(names)
  const last = where.path.split('.').at(-1) ?? ''
  const matters = where.ordered.some((name) => name === last || where.path.startsWith(`${name}.`))
  if (matters && arrangeItems(names, false) === null)
    where.contradictions.push(`${where.path}: both sides add to it, and its order means something`)
  return order
}

function mergeEntry<S>(id: string, { base, ours, theirs }: Named<S>, where: Where): Merged<S> {
  const [o, t] = [ours.get(id), theirs.get(id)]
  if (o === undefined) return { kind: 'theirs', node: t! }
  if (t === undefined) return { kind: 'ours', node: o }
  return mergeNodes({ base: base.get(id) ?? null, ours: o, theirs: t }, where)
}

function checkRemoved<S>(key: string, { base, ours, theirs }: Named<S>, where: Where): void {
  const [o, t] = [ours.get(key), theirs.get(key)]
  const kept = o ?? t
  if (kept === undefined || (o !== undefined && t !== undefined) || idOf(kept) === idOf(base.get(key)!)) return
  const path = where.path === '' ? key : `${where.path}.${key}`
  where.contradictions.push(`${path}: one side removed it and the other changed it`)
}

function mergeLists<S>(lists: Three<Kind<S, 'list'>>, where: Where): Merged<S> {
  const { base, ours, theirs } = lists
  const all = [base, ours, theirs]
  const name = naming(all)
  const identify = (node: Node<S>): string => (name === null ? idOf(node) : nameOf(node, name)!)
  const ids = { base: base.items.map(identify), ours: ours.items.map(identify), theirs: theirs.items.map(identify) }
  const isSet = name !== null || all.every((list) => list.items.every(isWord))
  const order = arrangeItems(ids, isSet)
  if (order === null) return contradiction(ours, where, 'both sides changed the list at the same place')
  const byId = ({ items }: Kind<S, 'list'>) => new Map(items.map((item) => [identify(item), item]))
  const named = { base: byId(base), ours: byId(ours), theirs: byId(theirs) }
  if (name !== null) for (const id of ids.base) checkRemoved(id, named, where)
  const items = order.map((id) => mergeEntry(id, named, { ...where, path: `${where.path}[${id}]` }))
  return { kind: 'list', ours, theirs, items }
}

/** What means something by itself. An option of a command belongs to what stands beside it. */
const isWord = <S>(node: Node<S>): boolean => node.kind === 'scalar' && !node.id.startsWith('"-')

/** The field by which all items of all three lists are told apart; null when there is none. */
function naming<S>(lists: Kind<S, 'list'>[]): string | null {
  const found = ['id', 'name'].find((field) =>
    lists.every((list) => {
      const ids = list.items.map((item) => nameOf(item, field))
      return !ids.includes(null) && new Set(ids).size === ids.length
    }),
  )
  return found ?? null
}

function nameOf<S>(node: Node<S>, field: string): string | null {
  if (node.kind !== 'map') return null
  const value = node.entries.find(({ key }) => key === field)?.value
  return value?.kind === 'scalar' ? value.id : null
}

/** A value with its structure, and where it came from. `S` is what the format needs to print it again. */
export type Node<S> =
  | { kind: 'scalar'; id: string; source: S }
  | { kind: 'map'; entries: Entry<S>[]; source: S }
  | { kind: 'list'; items: Node<S>[]; source: S }

export interface Entry<S> {
  key: string
  value: Node<S>
}

/** Equal values have equal text; the order of names in a map does not count. */
function idOf<S>(value: Node<S> | Merged<S>): string {
  switch (value.kind) {
    case 'scalar':
      return value.id
    case 'ours':
    case 'theirs':
      return idOf(value.node)
    case 'list':
      return `[${value.items.map(idOf).join(',')}]`
    case 'map': {
      const entries = value.entries.map((entry) => `${JSON.stringify(entry.key)}:${idOf(entry.value)}`)
      return `{${entries.sort().join(',')}}`
    }
  }
}

/** From what a parser returned; dates and big numbers count by their text. */
export function nodeOf(value: unknown): Node<null> {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(nodeOf), source: null }
  if (isPlain(value)) {
    const entries = Object.entries(value).map(([key, inner]) => ({ key, value: nodeOf(inner) }))
    return { kind: 'map', entries, source: null }
  }
  return { kind: 'scalar', id: scalarId(value), source: null }
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as typeof Object.prototype)

/** A float that happens to be whole is not the integer of the same value everywhere, but no parser tells them apart. */
const scalarId = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value) : `${typeof value} ${String(value)}`

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
  const merged = mergeSequences(lists, (hunk) => (unique ? unitedNames(hunk) : null))
  if (merged === null || !unique) return merged
  const once = [...new Set(merged)]
  if (!same([...once].sort(byCode), survivors(lists).sort(byCode))) return null
  // An item that both have moved, to different places, would be there twice.
  if (merged.length - once.length > both(lists)) return null
  return sorted ? once.sort(byCode) : once
}

/** Both add, and nobody takes away; or one of them only takes away. */
function unitedNames({ base, ours, theirs }: Hunk): string[] | null {
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
