import type { Requirement } from '../../delivery/intent/requirement.ts'
import type { CheckPolicy } from '../../delivery/policy.ts'
import { answerSection, reworkText, scaffoldText } from '../answer/told.ts'
import { checksSection } from '../prompt/checks.ts'
import { fenced } from '../prompt/fence.ts'
import { assemble, type Prompt, type Setting } from '../prompt/prompt.ts'
import { requirementSection } from '../prompt/requirement.ts'
import { section } from '../prompt/sections.ts'
import { planContract } from './contract.ts'

interface PlannerBrief {
  requirement: Requirement
  feedback: string[]
  /** Drafts in a row that could not be used. */
  repairs: number
  checks: CheckPolicy[]
  /** Where it writes its answer. */
  result: string
}

/** What the planner is told. */
export function plannerPrompt(brief: PlannerBrief, setting: Setting): Prompt {
  const title = 'Why the previous draft did not do'
  return assemble('planner', setting, [
    section('problems', title, faults(brief)),
    section('feedback', title, saidAgainst(brief)),
    requirementSection(brief.requirement),
    checksSection('Checks that every story must pass', brief.checks),
    answerSection(planContract, brief),
  ])
}

/** A human's words as they are. */
const saidAgainst = ({ feedback, repairs }: PlannerBrief): string[] =>
  repairs > 0 ? [] : feedback.map((text) => fenced(text.slice(0, 4_000), 'feedback'))

/** What was wrong with the form, together with the form. */
function faults({ feedback, repairs }: PlannerBrief): string[] {
  if (feedback.length === 0 || repairs === 0) return []
  return [repairs === 1 ? reworkText(planContract, feedback) : scaffoldText(planContract, feedback)]
}
