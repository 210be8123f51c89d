import { lstatSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AgentStep } from '../../delivery/step.ts'
import type { Performance } from '../../ports/performer.ts'
import { isToolsOwn, ownFiles } from '../../proof/files/own-file.ts'
import { coversAny } from '../../std/glob.ts'
import { repositoryFor } from '../place/request.ts'
import type { StepWorld } from '../world.ts'

/** What a product does to its own files in the repository, unasked, is no work of whoever uses it: it is put back and told. */
export async function putBackOwnFiles(
  world: StepWorld,
  performance: Performance<AgentStep>,
  workspace: string,
): Promise<void> {
  const { state, step, record } = performance
  const found = ownFiles.filter(({ path }) => isWithin(workspace, path) && !isAskedFor(performance, path))
  if (found.length === 0) return
  const repository = await repositoryFor(world, state)
  for (const { path, keys } of found) {
    const [before, after] = [
      await repository.readFile(commitOf(step), path),
      readFileSync(join(workspace, path), 'utf8'),
    ]
    if (before === after || !isToolsOwn({ before, after, keys })) continue
    if (before === null) rmSync(join(workspace, path))
    else writeFileSync(join(workspace, path), before)
    const text = `${step.agent} rewrote ${path} unasked, as its product does whenever it starts (${keys.join(', ')}); it was put back`
    if (!state.concerns.includes(text)) await record({ type: 'ConcernRaised', story: step.story, text })
  }
}

/** A story that may change such a file may be about that very line. */
const isAskedFor = ({ state, step: { story } }: Performance<AgentStep>, path: string): boolean =>
  story !== null && coversAny(state.stories[story]?.spec.mayChange ?? [], path)

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
