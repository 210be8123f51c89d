import type { Requirement } from '../../delivery/intent/requirement.ts'
import type { Plan, Story } from '../../delivery/plan/plan.ts'
import { contractOf } from '../answer/contract.ts'
import { list, oneOf, optional, record, text } from '../answer/shape.ts'
import { nonceSection } from '../answer/told.ts'
import { fenced } from '../prompt/fence.ts'
import { assemble, type Prompt, type Setting } from '../prompt/prompt.ts'
import { requirementSection } from '../prompt/requirement.ts'
import { section } from '../prompt/sections.ts'
import { bulleted } from '../prompt/story.ts'

/** What who audits a plan must return: what has to change in it, and what is only to be known. */
export const auditContract = (nonce: string) =>
  contractOf({
    name: 'plan audit',
    version: 2,
    // The nonce keeps apart what the auditor says and what it quotes: nobody could know it before it was asked.
    shape: record({
      nonce: oneOf([nonce]),
      verdict: oneOf(['sound', 'problems']),
      problems: optional(
        list(
          record({ story: optional(text({ least: 1, most: 64 }), null), problem: text({ least: 1, most: 1_000 }) }),
          {
            most: 20,
          },
        ),
        [],
      ),
      concerns: optional(list(text({ least: 1, most: 600 }), { most: 10 }), []),
    }),
    example: {
      nonce,
      verdict: 'problems',
      problems: [
        {
          story: 'export-invoices',
          problem: 'It needs the totals of round-totals, but does not depend on that story.',
        },
      ],
      concerns: ['Nothing says how long an export may take.'],
    },
    contradictions: ({ verdict, problems }) => {
      if (verdict === 'sound' && problems.length > 0) return ['the verdict is sound, but there are problems']
      return verdict === 'problems' && problems.length === 0 ? ['the verdict is problems, but there are none'] : []
    },
  })

interface AuditBrief {
  requirement: Requirement
  plan: Plan
  /** What its answer must name. */
  nonce: string
  /** Where it writes its answer. */
  result: string
}

/** What who audits a plan is told: the plan itself, and nothing that its author says for it elsewhere. */
export const auditPrompt = ({ requirement, plan, nonce, result }: AuditBrief, setting: Setting): Prompt =>
  assemble('challenger-plan', setting, [
    requirementSection(requirement),
    section('plan', 'The plan', [...outlineTexts(plan), ...plan.stories.map(auditedStory)]),
    nonceSection(auditContract(nonce), { nonce, result }),
  ])

const outlineTexts = ({ outline }: Plan): string[] =>
  outline === null ? [] : [fenced(JSON.stringify(outline, null, 2), 'outline')]

const auditedStory = ({ id, title, description, criteria, dependsOn, files, complexity, mayChange }: Story): string =>
  fenced(
    [
      `${id}: ${title} (complexity ${complexity})`,
      description,
      bulleted(criteria),
      ...[named('depends on', dependsOn), named('files', files), named('may change', mayChange)],
    ]
      .filter((line) => line !== '')
      .join('\n'),
    'story',
  )

const named = (what: string, items: string[]): string => (items.length === 0 ? '' : `${what}: ${items.join(', ')}`)
