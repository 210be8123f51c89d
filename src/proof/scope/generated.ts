import type { Finding } from '../../delivery/judging/finding.ts'
import type { Change } from '../files/change.ts'
import { report } from '../inspection/report.ts'

/** Files that say that they are made by a tool, changed while nothing they could be made from was. */
export function generatedFindings(changes: readonly Change[]): Finding[] {
  const generated = changes.filter(isGenerated)
  if (generated.length === 0 || generated.length < changes.length) return []
  return generated.map((change) =>
    report({
      rule: 'generated-file',
      file: change.path,
      severity: 'suggestion',
      message: 'this file says that it is generated; what it is made from was not changed',
    }),
  )
}

const isGenerated = ({ before }: Change): boolean => before !== null && saysGenerated(before)

export const saysGenerated = (text: string): boolean =>
  /@generated\b|\bDO NOT EDIT\b|\bautomatically generated\b/i.test(text.slice(0, 2_000))
