import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Run } from './case.ts'
import type { Yard } from './yard.ts'

/** A delivery in which nothing makes the file `hooked`; looked at before anybody else uses git there. */
export async function withoutHooks(yard: Yard): Promise<Run[]> {
  const run = await yard.deliver()
  expect(existsSync(join(yard.folder, 'hooked')), 'a hook was run').toBe(false)
  return [run]
}
