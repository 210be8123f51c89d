// Reading JSON that anybody may have written: what is not there, or not what it should be, is null or empty.
import { parseJson } from '../../std/json.ts'

export type Json = Record<string, unknown>

/** The object in a text, such as a line; null when it is something else. */
export function objectOn(text: string): Json | null {
  return text.trimStart().startsWith('{') ? asObject(parseJson(text)) : null
}

/** What is at the end of a path of keys; undefined when the path ends earlier. */
export function at(value: unknown, ...path: string[]): unknown {
  return path.reduce((inner: unknown, key) => asObject(inner)?.[key], value)
}

export const asObject = (value: unknown): Json | null =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Json) : null

export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

export const objectsIn = (value: unknown): Json[] =>
  asList(value).flatMap((one) => (asObject(one) === null ? [] : [one as Json]))

export const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Null when it is empty, too. */
export const asWords = (value: unknown): string | null => asText(value) || null

export const asNumber = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

/** A number of tokens: nothing told is none. */
export const asCount = (value: unknown): number => Math.max(0, asNumber(value) ?? 0)

/** For an event: enough to recognise it by. */
export function brief(value: unknown, longest: number): string {
  const text = asText(value) ?? (value === undefined || value === null ? '' : JSON.stringify(value))
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
