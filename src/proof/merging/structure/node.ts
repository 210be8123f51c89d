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
export function idOf<S>(node: Node<S>): string {
  switch (node.kind) {
    case 'scalar':
      return node.id
    case 'list':
      return `[${node.items.map(idOf).join(',')}]`
    case 'map':
      return `{${node.entries
        .map(({ key, value }) => `${JSON.stringify(key)}:${idOf(value)}`)
        .sort()
        .join(',')}}`
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
