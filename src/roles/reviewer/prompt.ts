import type { Vantage } from '../../delivery/review/review.ts'
import { exampleText } from '../answer/told.ts'
import { fenced } from '../prompt/fence.ts'
import { assemble, type Prompt, type Setting } from '../prompt/prompt.ts'
import { changeSections, type ReviewedChange } from '../prompt/reviewed-change.ts'
import { section } from '../prompt/sections.ts'
import { mostClaims, reviewContract } from './contract.ts'
import api from './vantages/api.md'
import correctness from './vantages/correctness.md'
import criteria from './vantages/criteria.md'
import edgeCases from './vantages/edge-cases.md'
import integrity from './vantages/integrity.md'
import migration from './vantages/migration.md'
import security from './vantages/security.md'
import tests from './vantages/tests.md'
import ui from './vantages/ui.md'

export interface ReviewerBrief extends ReviewedChange {
  vantage: Vantage
  /** Further ones that the diff calls for, with the files that do. */
  further: { vantage: Vantage; files: string[] }[]
  /** Asked of this reviewer, item by item; empty: of another, or there are none. */
  criteria: string[]
  checklist: string[]
  /** Further stories of the plan are still to come. */
  isPart: boolean
  /** Whether it is asked for what nobody asked for. */
  scope: boolean
  result: string
}

/** Parallel reviewers are told the same, byte for byte, up to what each of them is to look at. */
export const reviewerPrompt = (brief: ReviewerBrief, setting: Setting): Prompt =>
  assemble('reviewer', setting, [
    ...changeSections(brief),
    section('form', 'The form of your answer', [form(brief)]),
    section('vantage', 'From where you look', vantageTexts(brief)),
    section('answer', 'How to answer', answer(brief)),
  ])

const numbered = (items: string[]): string => items.map((item, index) => `${index + 1}. ${item}`).join('\n')

function vantageTexts({ vantage, further, open }: ReviewerBrief): string[] {
  const others = further.map(({ vantage: other, files }) => {
    const some = fenced(files.slice(0, 8).join('\n'), 'files')
    return `Look from here too, because these files call for it:\n${some}\n${lookFrom[other].trim()}`
  })
  return [...(open === null ? [] : [later]), lookFrom[vantage].trim(), ...others]
}

const later =
  'This has been reviewed before. Report only what the latest change has made wrong, and what was open and is not mended; anything else was decided then.'

/** Before what is told to one of them alone, because it is long. */
const form = ({ commit }: ReviewerBrief): string =>
  [
    'JSON with these fields. Anything else counts as no answer, and so do two that differ.',
    `- "commit": ${commit}, the commit that you review. An answer without it is taken for something you quote.`,
    '- "verdict": "approve", or "needs-work" with at least one finding.',
    `- "findings": a list of at most ${mostClaims} objects with "severity" (blocking: it must not be merged so; important: it should be mended first; suggestion; note), "file" (a path in the repository), "line", "message" (what is wrong, and what happens because of it) and "evidence" (the whole lines that show it, quoted word for word from that file).`,
    '- "checked": what you looked at and found in order. An approval that names nothing is none.',
    'A finding whose evidence is not in its file word for word does not count. For example, of another change:',
    exampleText(reviewContract(commit)),
  ].join('\n')

/** The criteria last: they are as long as the plan makes them. */
const answer = ({ result, criteria, checklist, isPart, scope }: ReviewerBrief): string[] => [
  `Write that JSON to the file named by ROPEWALK_RESULT (${result}); if you cannot write it, end your reply with it in one fenced block.`,
  ...(scope ? [ofScope] : []),
  ...(checklist.length === 0 ? [] : [isPart ? `${ofChecklist} ${ofOthers}` : ofChecklist]),
  ...(criteria.length === 0 ? [] : [`${ofCriteria}\n${fenced(numbered(criteria), 'criteria')}`]),
]

const ofCriteria =
  '- "criteria": for each of these, by its "number", the "state" (met, partial, missing, unclear) and "why":'
const ofChecklist =
  '- "checklist": for each item of the checklist, by its "number", the "state" (passed, failed, unverifiable) and "why".'
const ofOthers =
  'Further stories of the plan are still to come: what one of them is to bring is unverifiable here, not failed.'
const ofScope =
  '- "scope": what the change does that neither the requirement nor the story (its title, its description, its criteria) asks for: a list of objects as in "findings", or [] where there is nothing. Only those words count, not whether it is good. What they cannot be fulfilled without, such as tests of it, belongs to it.'

/** What a reviewer is told to look at from each vantage point. */
const lookFrom: Record<Vantage, string> = {
  correctness,
  'edge-cases': edgeCases,
  criteria,
  security,
  tests,
  ui,
  api,
  migration,
  integrity,
}
