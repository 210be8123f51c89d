/** A value and where each part of it was written. */
export interface Source {
  value: unknown
  placeOf(path: readonly (string | number)[]): string
}

/** A value that was never text, such as flags. */
export const plainSource = (value: unknown, place: string): Source => ({ value, placeOf: () => place })
