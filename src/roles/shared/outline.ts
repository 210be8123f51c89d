import type { Outline } from '../../delivery/plan/plan.ts'
import { fenced } from '../prompt/fence.ts'
import { type Section, section } from '../prompt/sections.ts'
import { listUnder } from '../prompt/story.ts'

/** What the plan keeps everybody to. */
export function constraintsSection(outline: Outline | null): Section {
  const { approach = '', invariants = [], nonGoals = [], risks = [] } = outline ?? {}
  const open = risks.map(({ risk, decision }) => `${risk}: ${decision}`)
  return section('constraints', 'What the plan keeps to', [
    ...listUnder('The approach', approach === '' ? [] : [approach], 'approach'),
    ...listUnder('What must stay true', invariants, 'invariants'),
    ...listUnder('What is not wanted', nonGoals, 'non-goals'),
    ...listUnder('What is open, and what was decided meanwhile', open, 'risks'),
  ])
}

/** What a reviewer says of each: passed, failed, or that it cannot tell. */
export function checklistSection(outline: Outline | null): Section {
  const items = (outline?.checklist ?? []).map(
    ({ must, item }, index) => `${index + 1}. ${must ? 'must' : 'must not'}: ${item}`,
  )
  return section(
    'checklist',
    'The checklist of the plan',
    items.length === 0 ? [] : [fenced(items.join('\n'), 'checklist')],
  )
}
