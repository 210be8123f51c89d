import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Liveness, Pulse, Pulses } from '../../ports/pulses.ts'
import { hashOf } from '../../std/hash.ts'
import { asPathSegment } from '../../std/identifier.ts'
import { objectOf, parseJson } from '../../std/json.ts'

/** One small file for each running step: `<home>/pulses/<delivery>/<hash of the step>.json`. */
export function filePulses(home: string): Pulses {
  const folderOf = (delivery: string): string => join(home, 'pulses', asPathSegment(delivery))
  return {
    beat: (delivery, pulse) => unlessItFails(() => replace(folderOf(delivery), pulse)),
    stop: (delivery, step) => unlessItFails(() => rmSync(fileOf(folderOf(delivery), step), { force: true })),
    of: (delivery) => filesIn(folderOf(delivery)).flatMap(readPulse),
  }
}

/** A step's id has characters that a file's name must not have. */
const fileOf = (folder: string, step: string): string => join(folder, `${hashOf(step)}.json`)

/** A reader sees the former pulse or this one, never half of it. */
function replace(folder: string, pulse: Pulse): void {
  const file = fileOf(folder, pulse.step)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.writing`, JSON.stringify(pulse), { mode: 0o600 })
  renameSync(`${file}.writing`, file)
}

/** A lost pulse is a line less in a status: no reason to stop an agent. */
function unlessItFails(work: () => void): void {
  try {
    work()
  } catch {}
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(folder, name))
  } catch {
    return []
  }
}

function readPulse(file: string): Pulse[] {
  try {
    const pulse = parseJson(readFileSync(file, 'utf8'))
    return isPulse(pulse) ? [pulse] : []
  } catch {
    return []
  }
}

// By hand: a status must be there at once, and a library for this takes longer to load than all the rest.
const fields: Record<keyof Pulse, (value: unknown) => boolean> = {
  step: isText,
  story: (value) => value === null || isText(value),
  agent: isText,
  model: (value) => value === null || isText(value),
  state: (value) => states.some((state) => state === value),
  doing: isText,
  startedAt: isNumber,
  seenAt: isNumber,
  until: (value) => value === null || isNumber(value),
  usage: (value) => ['inputTokens', 'outputTokens', 'cachedTokens'].every((key) => isNumber(objectOf(value)[key])),
  usd: (value) => value === null || isNumber(value),
}

const states: Liveness[] = ['working', 'permission', 'limit', 'silent', 'hung', 'exited']

const isPulse = (value: unknown): value is Pulse => {
  const found = objectOf(value)
  return Object.entries(fields).every(([key, fits]) => fits(found[key]))
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number'
}
