import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { formats } from '../../../src/adapters/formats/formats.ts'
import type { Composed, Conflict } from '../../../src/ports/repository/composing.ts'
import type { Repository } from '../../../src/ports/repository/repository.ts'
import { settleConflicts } from '../../../src/steps/merge/settle.ts'
import { write } from '../../empty-repository.ts'
import { codeStory, message, openYard, type Yard } from '../repository-walk.ts'
import { makeUserRepository } from '../user-repository.ts'

export type Work = (workspace: string) => void

export interface Both {
  yard: Yard
  base: string
  line: string
  story: string
  composed: Composed
  /** As git left them, before any rule. */
  asked: Conflict[]
}

interface Given {
  files: Record<string, string | Buffer>
  first: Work
  second: Work
  method?: 'squash' | 'merge'
  /** Without rules everything that git cannot merge stays in conflict. */
  rules: boolean
}

/** Two stories from the same base, the second composed onto the first. */
export async function composeBoth({ files, first, second, method, rules }: Given): Promise<Both> {
  const yard = await openYard(makeUserRepository(files))
  const { repository, base } = yard
  const [one, story] = [await codeStory(yard, 'first', first), await codeStory(yard, 'second', second)]
  const line = (await repository.compose({ onto: base, base, commit: one, message: message('first') })).commit
  const asked: Conflict[] = []
  const request: Parameters<Repository['compose']>[0] = {
    onto: line,
    base,
    commit: story,
    message: message('second'),
    settle: async (conflicts, merged) => {
      asked.push(...conflicts)
      return rules
        ? settleConflicts({ conflicts, merged }, { locks: new Map(), formats: formats() })
        : { files: [], note: '' }
    },
    method: method ?? 'squash',
  }
  const composed = await repository.compose(request)
  return { yard, base, line, story, composed, asked }
}

export const edits =
  (files: Record<string, string | Buffer>): Work =>
  (workspace) =>
    write(workspace, files)

export const deletes =
  (path: string): Work =>
  (workspace) =>
    rmSync(join(workspace, path))

/** What is at a path in the result. */
export const textAt = ({ yard, composed }: Both, path: string): Promise<string | null> =>
  yard.repository.readFile(composed.commit, path)

export function conflictsOf({ composed }: Both): Conflict[] {
  if (composed.status !== 'conflict') throw new Error('expected a conflict')
  return composed.files
}
