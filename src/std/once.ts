/** Makes it on the first call, and gives the same one ever after. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** The same for each key. */
export function remembered<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, { value: T }>()
  return (key) => {
    const known = made.get(key) ?? { value: make(key) }
    made.set(key, known)
    return known.value
  }
}
