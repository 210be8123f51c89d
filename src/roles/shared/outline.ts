import type { Outline } from '../../delivery/plan/plan.ts'
import { fenced } from '../prompt/fence.ts'
import { type Section, section } from '../prompt/sections.ts'
import { bulleted } from '../prompt/story.ts'

/** What the plan keeps everybody to. */
export function constraintsSection(outline: Outline | null): Section {
  const parts: string[] = []
  const add = (heading: string, items: string[], label: string): void => {
    if (items.length > 0) parts.push(`${heading}:\n${fenced(bulleted(items), label)}`)
  }
  add('The approach', outline === null || outline.approach === '' ? [] : [outline.approach], 'approach')
  add('What must stay true', outline?.invariants ?? [], 'invariants')
  add('What is not wanted', outline?.nonGoals ?? [], 'non-goals')
  add('What is open, and what was decided meanwhile', (outline?.risks ?? []).map(riskText), 'risks')
  return section('constraints', 'What the plan keeps to', parts)
}

const riskText = ({ risk, decision }: Outline['risks'][number]): string => `${risk}: ${decision}`

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
