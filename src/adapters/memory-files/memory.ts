import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Learned, LearnedFact, Memory, Remembered } from '../../ports/memory.ts'
import { asPathSegment } from '../../std/identifier.ts'

/** One file for each repository: `<home>/memory/<repository>.json`. */
export function fileMemory(home: string): Memory {
  const folder = join(home, 'memory')
  const fileOf = (repository: string): string => join(folder, `${asPathSegment(repository)}.json`)
  return {
    recall: async (repository) => readRemembered(fileOf(repository), repository),
    keep: async (remembered) => {
      const file = fileOf(remembered.repository)
      const writing = `${file}.${process.pid}`
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeFileSync(writing, `${JSON.stringify(remembered, null, 2)}\n`, { mode: 0o600 })
      renameSync(writing, file)
    },
  }
}

function readRemembered(file: string, repository: string): Remembered | null {
  try {
    const remembered: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isRemembered(remembered) && remembered.repository === repository ? remembered : null
  } catch {
    return null
  }
}

const isRemembered = (value: unknown): value is Remembered =>
  isObject(value) && isText(value.repository) && isObject(value.passes) && Object.values(value.passes).every(isLearned)

const isLearned = (value: unknown): value is Learned =>
  isObject(value) &&
  typeof value.at === 'number' &&
  isText(value.commit) &&
  isText(value.inputs) &&
  Array.isArray(value.facts) &&
  value.facts.every(isFact)

const isFact = (value: unknown): value is LearnedFact => isObject(value) && isText(value.about) && isText(value.text)

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}
