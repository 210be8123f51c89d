/** At the end of an exhaustive switch: does not compile while a case is missing. */
export function never(value: never): never {
  throw new UnknownValueError(`this version of Ropewalk does not know what this is: ${JSON.stringify(value)}`)
}

/** What compiles knows all of ours, so it came from a file. */
export class UnknownValueError extends Error {}

/** Our own invariant. When it breaks it is our bug, and we stop loudly. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`broken invariant: ${message}`)
}
