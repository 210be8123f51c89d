import type { StoryId } from '../../delivery/ids.ts'
import type { Left } from '../../delivery/inputs/briefing.ts'
import type { Handoff } from '../../delivery/story/handoff.ts'
import { type Section, section } from '../prompt/sections.ts'
import { listUnder } from '../prompt/story.ts'
import { type HandoffField, handoffFields, type PromptName } from '../sees.ts'

/**
 * What others have left for this one: only the fields that its table lists, each whole or in a file. Where the work is
 * not what the plan says, and somebody builds on it, that comes first, one by one.
 */
export function handoffsSection(name: PromptName, left: Left[]): Section {
  const fields: readonly HandoffField[] = handoffFields[name] ?? []
  const must = fields.includes('deviations') ? left.flatMap(materialOf) : []
  const rest = fields.flatMap((field) => left.flatMap((one) => partOf(one, field)))
  return section('handoffs', 'What others have left for you', [...must, ...rest])
}

const materialOf = ({ story, handoff }: Left): string[] =>
  handoff.deviations
    .filter(({ material }) => material)
    .flatMap((one) => part(story, 'it is not what the plan says, and others must know', [deviationText(one)]))

function partOf({ story, handoff }: Left, field: HandoffField): string[] {
  switch (field) {
    case 'decisions':
      return part(story, 'what was decided', handoff.decisions.map(choiceText))
    case 'rejected':
      return part(story, 'what was not done, and why', handoff.rejected.map(choiceText))
    case 'deviations': {
      const minor = handoff.deviations.filter(({ material }) => !material)
      return part(story, 'where it is not what the plan says', minor.map(deviationText))
    }
    case 'notes': {
      // Where the handoff is not whole they may be all there is: whoever reads them has to know that.
      const warned = `${handoff.quality === 'full' ? 'later' : 'only'} notes, not checked by anybody`
      return handoff.notes.trim() === '' ? [] : part(story, warned, [handoff.notes])
    }
    default:
      return part(story, words[field], handoff[field])
  }
}

const words = { limitations: 'known limitations', tests: 'tests that it added', files: 'files that it changed' }

const choiceText = ({ what, why }: { what: string; why: string }): string => `${what}: ${why}`
const deviationText = ({ from, why }: Handoff['deviations'][number]): string => `${from}: ${why}`

const part = (story: StoryId, what: string, items: string[]): string[] =>
  listUnder(`${story}, ${what}`, items, 'handoff')
