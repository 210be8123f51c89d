import type { Finding } from '../../delivery/judging/finding.ts'
import type { Change } from '../files/change.ts'
import { onlyFormChanged } from '../files/form.ts'
import { report } from '../inspection/report.ts'

const mostReformatted = 10

/** Files in which nothing changed but their form, when they are many: nobody can see the change among them. */
export function reformattingFindings(changes: readonly Change[], declared: (path: string) => boolean): Finding[] {
  const formal = changes.filter((change) => !declared(change.path) && onlyFormChanged(change))
  if (formal.length <= mostReformatted) return []
  // To format is good work, where it is the work.
  const isBeside = changes.some((change) => !onlyFormChanged(change) && !isProse(change.path))
  const files = formal.slice(0, 8).map(({ path }) => path)
  return [
    report({
      rule: 'mass-reformatting',
      file: formal[0]!.path,
      severity: isBeside ? 'important' : 'suggestion',
      message: `${formal.length} files that the story is not about were only reformatted; put them back as they were`,
      evidence: `${files.join('\n')}\n…`,
    }),
  ]
}

/** Formatters come with their own settings, and are told of in documents; a new header comes with a new licence. */
const isProse = (path: string): boolean =>
  /\.(?:md|rst|txt|ya?ml|toml|jsonc?|lock)$|(?:^|\/)(?:\.[^/]+|(?:LICEN[CS]E|COPYING|NOTICE|AUTHORS|CHANGE(?:S|LOG))[^/]*)$/.test(
    path,
  )
