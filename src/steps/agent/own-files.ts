import { lstatSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AgentStep } from '../../delivery/step.ts'
import { isToolsOwn, ownFiles } from '../../proof/files/own-file.ts'
import { coversAny } from '../../std/glob.ts'
import type { Asking } from './transcript.ts'

/** What a product does to its own files in the repository, unasked, is no work of whoever uses it: it is put back and told. */
export async function putBackOwnFiles(work: Asking, workspace: string): Promise<void> {
  const { input, step, standing, record, repository } = work
  // A story that may change such a file may be about that very line.
  const found = ownFiles.filter(({ path }) => isWithin(workspace, path) && !coversAny(input.mayChange, path))
  for (const { path, keys } of found) {
    const before = await repository.readFile(commitOf(step), path)
    const after = readFileSync(join(workspace, path), 'utf8')
    if (before === after || !isToolsOwn({ before, after, keys })) continue
    if (before === null) rmSync(join(workspace, path))
    else writeFileSync(join(workspace, path), before)
    const text = `${step.agent} rewrote ${path} unasked, as its product does whenever it starts (${keys.join(', ')}); it was put back`
    if (!standing().concerns.includes(text)) await record({ type: 'ConcernRaised', story: step.story, text })
  }
}

/** What its workspace began with. */
function commitOf(step: AgentStep): string {
  if ('from' in step) return step.from
  return 'commit' in step ? step.commit : step.base
}

/** A plain file, and no link on the way that leads out. */
function isWithin(workspace: string, path: string): boolean {
  const file = join(workspace, path)
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false
  return realpathSync(dirname(file)) === join(realpathSync(workspace), dirname(path))
}
