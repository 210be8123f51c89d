import type { Finding } from '../../delivery/judging/finding.ts'
import { fenced } from './fence.ts'
import type { Section } from './prompt.ts'

const budgetBytes = 24_000

/** Everything that the last verdict holds against the work, in full. */
export function findingsSection(findings: Finding[], overflow: string): Section {
  return {
    title: 'What must be mended now',
    parts: findings.map((finding, index) => findingText(finding, index + 1)),
    budgetBytes,
    overflow,
  }
}

function findingText(finding: Finding, number: number): string {
  const { source, rule, severity, file, line, message, evidence, fixTarget } = finding
  const place = file === null ? '' : ` in ${file}${line === null ? '' : `:${line}`}`
  const heading = `### ${number}. ${severity}: ${rule}${place} (found by ${source}; mend the ${fixTarget})`
  const parts = [heading, fenced(message, 'finding')]
  if (evidence.trim() !== '') parts.push(fenced(evidence, 'evidence'))
  return parts.join('\n')
}
