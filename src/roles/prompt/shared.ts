import type { StoryId } from '../../delivery/ids.ts'
import type { Left } from '../../delivery/inputs/briefing.ts'
import type { WorkKind } from '../../delivery/intent/context.ts'
import type { CheckedAssumption } from '../../delivery/intent/interpretation.ts'
import { correctionsOf, type IntentState, unknownsOf, workKindOf } from '../../delivery/intent/state.ts'
import type { Outline } from '../../delivery/plan/plan.ts'
import { foldersAround } from '../../delivery/plan/validate.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import type { Handoff } from '../../delivery/story/handoff.ts'
import { fenced, type HandoffField, handoffFields, type PromptName, type Section, section } from './sections.ts'
import { bulleted, fencedLines, listUnder } from './shown.ts'

/** What the requirement was settled to mean, and what a human has said to it. */
export function intentSection(intent: IntentState): Section {
  const { meaning, contract } = intent
  const parts: string[] = []
  const kind = workKindOf(intent)
  if (kind !== null && emphases[kind] !== '') parts.push(emphases[kind])
  if (meaning?.seat != null) {
    const { summary, behaviours, terms } = meaning.reading
    parts.push(fenced(summary, 'meaning'))
    const words = terms.map(({ term, meaning }) => `${term}: ${meaning}`)
    parts.push(...listUnder('Words in it', words, 'words'), ...listUnder('When it is done', behaviours, 'behaviours'))
  }
  const { criteria, answers } = contract ?? { criteria: [], answers: [] }
  parts.push(...listUnder('The whole must fulfil', criteria, 'criteria'))
  for (const { question, answer, by } of answers)
    parts.push(`A human was asked, and answered:\n${fenced(`${question}\n${by}: ${answer}`, 'answer')}`)
  return section('intent', 'What is meant', parts)
}

/** What counts most in work of this kind, for those who do it and those who review it. */
const emphases: Record<WorkKind, string> = {
  fix: 'It is a fix: the fault must be gone, a test must show it, and nothing else may change.',
  feature: '',
  refactor: 'It is a refactoring: nothing that can be observed may change.',
  architectural:
    'It changes how the parts fit together: look at what depends on them, and at what would be left half-way.',
  chore: 'It is a chore: no behaviour of the product may change.',
}

/** What was read into it and is not so, what nobody could tell, and who read it otherwise. */
export function doubtsSection(intent: IntentState): Section {
  const refuted = correctionsOf(intent).map(
    (one) => `This was assumed, and the code says otherwise:\n${claimText(one)}`,
  )
  const unknown = unknownsOf(intent).map((one) => `This could not be confirmed: treat it as a risk.\n${claimText(one)}`)
  const dissents = (intent.council?.dissents ?? []).map(
    ({ summary, differs }) =>
      `Somebody read it otherwise:\n${fenced([summary, bulleted(differs)].join('\n'), 'dissent')}`,
  )
  return section('doubts', 'What is not certain', [...refuted, ...unknown, ...dissents])
}

function claimText({ claim, evidence, file, line }: CheckedAssumption): string {
  const place = file === null ? '' : `\n${file}${line === null ? '' : `:${line}`}`
  return fenced(`${claim}${place}\n${evidence}`.trimEnd(), 'assumption')
}

/** What was assumed and is not so, as those have found who have worked on it since. */
export function correctionsSection(corrections: DeliveryState['corrections']): Section {
  // Without the evidence, which is in the log: all of them have to fit.
  const texts = corrections.map(({ assumption, fact }) =>
    fenced(`assumed: ${assumption}\nit is: ${fact}`, 'correction'),
  )
  return section('corrections', 'What was assumed before, and is wrong', [...new Set(texts)])
}

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
  return section('checklist', 'The checklist of the plan', fencedLines(items, 'checklist'))
}

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

const partOf = ({ story, handoff }: Left, field: HandoffField): string[] => part(story, ...fieldTexts[field](handoff))

const choiceText = ({ what, why }: { what: string; why: string }): string => `${what}: ${why}`
const deviationText = ({ from, why }: Handoff['deviations'][number]): string => `${from}: ${why}`

const fieldTexts: Record<HandoffField, (handoff: Handoff) => [what: string, items: string[]]> = {
  decisions: ({ decisions }) => ['what was decided', decisions.map(choiceText)],
  rejected: ({ rejected }) => ['what was not done, and why', rejected.map(choiceText)],
  deviations: ({ deviations }) => [
    'where it is not what the plan says',
    deviations.filter(({ material }) => !material).map(deviationText),
  ],
  limitations: ({ limitations }) => ['known limitations', limitations],
  tests: ({ tests }) => ['tests that it added', tests],
  files: ({ files }) => ['files that it changed', files],
  // Where the handoff is not whole they may be all there is: whoever reads them has to know that.
  notes: ({ quality, notes }) => [
    `${quality === 'full' ? 'later' : 'only'} notes, not checked by anybody`,
    notes.trim() === '' ? [] : [notes],
  ],
}

const part = (story: StoryId, what: string, items: string[]): string[] =>
  listUnder(`${story}, ${what}`, items, 'handoff')

/** The coding standards of whoever runs this; they are in no file of the repository by our doing. */
export const constitutionSection = (text: string): Section =>
  section('constitution', 'Coding standards', [
    'They hold for all that you write or judge here, unless the rules say otherwise.',
    fenced(text, 'standards'),
  ])

/** What was learned earlier may be out of date. */
export function memorySection(facts: { about: string; text: string }[]): Section {
  const warning = 'It may be out of date: where the files say otherwise, they are right.'
  const known = facts.map(({ about, text }) => fenced(`${about}: ${text}`, 'fact'))
  return section('memory', 'What was learned about this repository', known.length === 0 ? [] : [warning, ...known])
}

/** Where the story stands, as the log tells it. */
export const transitionSection = (lines: string[]): Section =>
  section('transition', 'Where it stands', fencedLines(lines, 'standing'))

interface Convention {
  path: string
  text: string
}

/** Files below the root that may tell how to work in the folders of these paths; agents find the root's by themselves. */
export function conventionPaths(paths: readonly string[]): string[] {
  const folders = new Set(paths.slice(0, 2_000).flatMap(foldersAround))
  return [...folders].sort().flatMap((folder) => ['AGENTS.md', 'CLAUDE.md'].map((name) => `${folder}/${name}`))
}

/** Of those that are there, the ones that govern most of the paths; of two in a folder that say the same, one. */
export function conventionsSection(found: Convention[], paths: readonly string[]): Section {
  const distinct = [...new Map(found.toReversed().map((one) => [`${folderOf(one)}\n${one.text}`, one])).values()]
  const governed = (one: Convention): number => paths.filter((path) => path.startsWith(`${folderOf(one)}/`)).length
  const chosen = distinct
    .filter((one) => governed(one) > 0)
    .toSorted((a, b) => governed(b) - governed(a) || (a.path < b.path ? -1 : 1))
    .slice(0, 5)
  return section('conventions', 'Conventions of folders', chosen.map(conventionText))
}

const folderOf = ({ path }: Convention): string => path.slice(0, path.lastIndexOf('/'))

const conventionText = (one: Convention): string =>
  `${fenced(`for ${folderOf(one)}/ and below, from ${one.path}`, 'place')}\n${fenced(one.text, 'conventions')}`
