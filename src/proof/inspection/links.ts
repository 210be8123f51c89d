import type { Finding } from '../../delivery/judging/finding.ts'
import { coversAny } from '../../std/glob.ts'
import { type Change, folderOf } from '../files/change.ts'
import { report } from './report.ts'

/** Links that lead out of the tree, and whole repositories put into it. */
export function linkFindings(changes: readonly Change[], story: { files: readonly string[] }): Finding[] {
  return changes.flatMap((change) => {
    if (change.newMode === '120000' && leadsOutside(change.path, change.after))
      return [
        report({
          rule: 'link-outside',
          file: change.path,
          message: `this link points outside the repository (${change.after ?? 'unreadable'})`,
        }),
      ]
    if (change.newMode === '160000' && change.oldMode !== '160000' && !coversAny(story.files, change.path))
      return [
        report({ rule: 'repository-inside', file: change.path, message: 'a git repository was put into this one' }),
      ]
    return []
  })
}

function leadsOutside(path: string, target: string | null): boolean {
  if (target === null || target.startsWith('/') || /^[A-Za-z]:/.test(target) || target.startsWith('~')) return true
  let depth = 0
  for (const part of [...folderOf(path).split('/'), ...target.trim().split(/[/\\]/)]) {
    if (part === '..') depth -= 1
    else if (part === '.git') return true
    else if (part !== '' && part !== '.') depth += 1
    if (depth < 0) return true
  }
  return false
}
