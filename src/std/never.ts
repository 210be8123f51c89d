/** At the end of an exhaustive switch: does not compile while a case is missing. */
export function never(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`)
}

/** Our own invariant. When it breaks it is our bug, and we stop loudly. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`broken invariant: ${message}`)
}
