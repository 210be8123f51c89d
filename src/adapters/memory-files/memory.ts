import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Learned, LearnedFact, Memory, Remembered } from '../../ports/memory.ts'
import { asPathSegment } from '../../std/identifier.ts'
import { objectOf } from '../../std/json.ts'

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

const isRemembered = (value: unknown): value is Remembered => {
  const { repository, passes } = objectOf(value)
  return typeof repository === 'string' && isObject(passes) && Object.values(passes).every(isLearned)
}

function isLearned(value: unknown): value is Learned {
  const { at, commit, inputs, facts } = objectOf(value)
  const isTold = typeof at === 'number' && typeof commit === 'string' && typeof inputs === 'string'
  return isTold && Array.isArray(facts) && facts.every(isFact)
}

function isFact(value: unknown): value is LearnedFact {
  const { about, text } = objectOf(value)
  return typeof about === 'string' && typeof text === 'string'
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
