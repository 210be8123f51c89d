import type { CommitId } from '../../delivery/ids.ts'
import type { Repository } from '../../ports/repository.ts'
import { parseJson, scriptClosure, scriptsOf } from '../../proof/inspection/script-closure.ts'
import type { Overlay } from './overlay.ts'

/**
 * What the checks execute, as it is on the base, where the subject has changed it. A story that was allowed to change
 * it must pass both ways.
 */
export async function formerScripts(
  repository: Repository,
  subject: { base: CommitId; commit: CommitId; commands: string[] },
): Promise<Overlay[]> {
  const { base, commit, commands } = subject
  const readBefore = (path: string) => repository.readFile(base, path)
  const closure = await scriptClosure({ commands, readFile: readBefore })
  const overlays: Overlay[] = []
  for (const [path, names] of closure.scripts) {
    const [before, after] = await Promise.all([readBefore(path), repository.readFile(commit, path)])
    if (before === null || before === after) continue
    const text = withScripts(after, before, names)
    if (text !== null) overlays.push({ path, text })
  }
  for (const path of closure.files) {
    const [before, after] = await Promise.all([readBefore(path), repository.readFile(commit, path)])
    if (before !== null && before !== after) overlays.push({ path, text: before })
  }
  return overlays
}

/** The changed manifest with the former text of the scripts that are reached; null when these are the same. */
function withScripts(after: string | null, before: string, names: ReadonlySet<string>): string | null {
  const manifest = parseJson(after ?? '')
  if (manifest === null || typeof manifest !== 'object') return before
  const [former, present] = [scriptsOf(before), scriptsOf(after)]
  const changed = [...names].filter((name) => former[name] !== present[name] && tests(former[name]))
  if (changed.length === 0) return null
  const scripts = { ...present }
  for (const name of changed) scripts[name] = former[name]!
  return `${JSON.stringify({ ...manifest, scripts }, null, 2)}\n`
}

/** A script that was not there, or npm's own stand-in for one, passes nothing: whoever brings the first is held to none. */
const tests = (script: string | undefined): boolean => script !== undefined && !script.includes('no test specified')
