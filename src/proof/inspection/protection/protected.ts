import type { Finding } from '../../../delivery/judging/finding.ts'
import { coversAny } from '../../../std/glob.ts'
import { type Change, isFixture, pathsOf } from '../change.ts'
import { report } from '../report.ts'
import type { ScriptClosure } from '../script-closure.ts'
import { lostLines } from '../tests/rules/lost-lines.ts'
import { configurationChange } from './configuration.ts'
import { packageChanges } from './package-json.ts'
import { protectedKind } from './protected-paths.ts'

/** Changes to what decides how work is judged. A story may do so only when its plan said so and was approved. */
export function protectedFindings(
  changes: readonly Change[],
  { closure, protect }: { closure: ScriptClosure; protect: readonly string[] },
): Finding[] {
  return changes.flatMap((change) => {
    const reasons = reasonsFor(change, closure, protect)
    const { offset, text } = lostLines(change.before ?? '', change.after ?? '')
    const named = change.oldPath === null ? '' : `- ${change.oldPath}\n+ ${change.path}\n`
    return reasons.map((reason) =>
      report({
        rule: 'protected-file',
        file: change.path,
        line: offset + 1,
        evidence: named + text,
        what: reason,
        message: `${reason}; undo this change, or have the story declare it under mayChange`,
      }),
    )
  })
}

function reasonsFor(change: Change, closure: ScriptClosure, protect: readonly string[]): string[] {
  const paths = pathsOf(change)
  if (paths.some((path) => coversAny(protect, path))) return ['this file is protected by the settings']
  if (paths.some((path) => closure.files.has(path))) return ['this file is part of how the checks are run']
  const kinds = paths.flatMap((path) => protectedKind(path) ?? [])
  if (kinds.length > 0 && !isFixture(change.path)) return [`this file is ${kinds[0]}`]
  if (paths.some((path) => isFixture(path))) return []
  return [...packageChanges(change, closure), ...configurationChange(change)]
}
