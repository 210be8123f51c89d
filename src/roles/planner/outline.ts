import { type Criterion, criterionTypes, type Outline } from '../../delivery/plan/plan.ts'
import { invariant } from '../../std/never.ts'
import { cutText, flag, list, oneOf, optional, record, saidAs, text, whole } from '../answer/shape.ts'

const line = text({ least: 1, most: 600 })
const lines = optional(list(line, { most: 20 }), [])
const said = optional(cutText({ least: 0, most: 2_000 }), '')

/** Why it is this plan. */
export const outlineShape = record({
  approach: text({ least: 1, most: 4_000 }),
  runnerUp: optional(saidAs('approach', record({ approach: said, lostBecause: said })), {
    approach: '',
    lostBecause: '',
  }),
  invariants: lines,
  nonGoals: lines,
  tradeOffs: lines,
  checklist: optional(list(record({ must: flag(), item: line }), { most: 20 }), []),
  switchWhen: said,
  covers: optional(
    list(record({ criterion: line, stories: list(text({ least: 1, most: 64 }), { most: 100 }) }), { most: 60 }),
    [],
  ),
  risks: optional(list(record({ risk: line, decision: said }), { most: 20 }), []),
})

/** Criteria of the requirement can be named by their number: `C1` is the first. */
export function outlineOf(outline: ReturnType<typeof outlineShape.read>, criteria: string[]): Outline {
  const covers = outline.covers.map(({ criterion, stories }) => {
    const number = /^\W*c[- ]?(\d{1,3})\W*$/i.exec(criterion)?.[1]
    return { criterion: (number === undefined ? undefined : criteria[Number(number) - 1]) ?? criterion, stories }
  })
  return { ...outline, covers }
}

const path = optional(text({ least: 1, most: 1_000 }), null)

/** What a machine can tell; which fields it has follows from its type. */
export const proofShape = record({
  type: oneOf(criterionTypes),
  path,
  text: optional(text({ least: 1, most: 2_000 }), null),
  run: optional(text({ least: 1, most: 2_000 }), null),
  report: path,
  percent: optional(whole({ from: 0, to: 100 }), null),
})

type SaidProof = ReturnType<typeof proofShape.read>

const needs: Record<Criterion['type'], (keyof SaidProof)[]> = {
  'file-exists': ['path'],
  'file-contains': ['path', 'text'],
  'command-succeeds': ['run'],
  'output-contains': ['run', 'text'],
  'coverage-at-least': ['report', 'percent'],
}

export const proofProblems = (proof: SaidProof, where: string): string[] =>
  needs[proof.type].flatMap((key) =>
    proof[key] === null ? [`${where}.${key} is missing; ${proof.type} needs it`] : [],
  )

export function proofOf(proof: SaidProof): Criterion {
  const fields = Object.fromEntries(needs[proof.type].map((key) => [key, proof[key]]))
  invariant(
    Object.values(fields).every((value) => value !== null),
    'a proof was read that does not fit',
  )
  return { type: proof.type, ...fields } as Criterion
}
