import type { Finding } from '../../delivery/judging/finding.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { fenced } from './fence.ts'
import { type Section, section } from './sections.ts'
import { bulleted } from './story.ts'

/** Everything that the last verdict holds against the work, in full. */
export const findingsSection = (findings: Finding[]): Section =>
  section('findings', 'What must be mended now', findingTexts(findings))

export const findingTexts = (findings: Finding[]): string[] =>
  findings.map((finding, index) => findingText(finding, index + 1))

/** One of several that an answer has to refer to. */
export function namedFinding({ name, finding }: { name: string; finding: Finding }): string {
  const beyond = finding.rule === 'scope' ? ', beyond what was asked for,' : ''
  return under(`### ${name}: ${finding.severity}${beyond}${placeText(finding)}`, finding)
}

/** Its place and its rule may come from an agent: on one line they cannot begin another section. */
function findingText(finding: Finding, number: number): string {
  const { source, rule, severity, fixTarget } = finding
  const about = `${severity}: ${oneLine(rule)}${placeText(finding)} (found by ${source}; mend the ${fixTarget})`
  return under(`### ${number}. ${about}`, finding)
}

const placeText = ({ file, line }: Finding): string =>
  file === null ? '' : ` in ${oneLine(file)}${line === null ? '' : `:${line}`}`

const under = (heading: string, { message, evidence }: Finding): string =>
  [heading, fenced(message, 'finding'), ...(evidence.trim() === '' ? [] : [fenced(evidence, 'evidence')])].join('\n')

/** What no test notices, as something to know; `what`: what is asked of the reader. */
export const unnoticedTexts = (unnoticed: string[], what: string): string[] =>
  unnoticed.length === 0
    ? []
    : [
        `The change was broken on purpose, and every related test passed. ${what}\n${fenced(bulleted(unnoticed), 'lines')}`,
      ]
