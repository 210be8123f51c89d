import type { SpecFault } from '../../delivery/events.ts'
import { type Handoff, noHandoff } from '../../delivery/story/handoff.ts'
import { type Contract, contractOf, type RoleAnswer } from '../answer/contract.ts'
import { readAnswer, type Written } from '../answer/read-answer.ts'
import {
  cutText,
  list,
  oneOf,
  optional,
  readAfter,
  record,
  type Shape,
  saidAs,
  spokenFlag,
  text,
} from '../answer/shape.ts'

const words = cutText(1, 1_000)
const path = text(1, 1_000)
const reason = optional(cutText(0, 1_000), '')
const quote = optional(cutText(0, 4_000), '')
const choice = saidAs('what', record({ what: words, why: reason }))
const deviation = saidAs('from', record({ from: words, why: reason, material: optional(spokenFlag(), false) }))
const correction = record({ assumption: words, fact: words, evidence: quote })
const more = (left: number): string[] => [`… and ${left} more, left out here`]
const most = { most: 20, cut: more }
const faults = ['bad-spec', 'intent-gap'] as const satisfies SpecFault[]
const block = record({ kind: oneOf(faults), why: text(1, 2_000), evidence: quote })

const shape = record({
  decisions: { ...optional(list(choice, most), null), required: true },
  rejected: optional(list(choice, most), []),
  limitations: optional(list(words, most), []),
  tests: optional(list(words, { most: 100, cut: more }), []),
  files: optional(list(path, { most: 200, cut: more }), []),
  deviations: optional(materialFirst(list(deviation, most)), []),
  corrections: optional(list(correction, { most: 20, cut: () => [] }), []),
  changedTests: optional(list(record({ test: words, why: words, criterion: words }), { most: 50 }), []),
  blocked: optional(block, null),
})

type HandoffAnswer = ReturnType<typeof shape.read>
export type Blocked = ReturnType<typeof block.read>

/** What a coder must leave for those who come after it. */
export const handoffContract = contractOf({
  name: 'handoff',
  version: 1,
  shape,
  signs: ['deviations', 'corrections', 'limitations'],
  example: {
    decisions: [{ what: 'Days are checked against the month', why: 'the parser took any day up to 31' }],
    rejected: [{ what: 'a date library', why: 'one function does' }],
    limitations: ['Leap seconds are not accepted.'],
    tests: ['test/dates.test.js: names the day that does not exist'],
    files: ['src/dates.js', 'test/dates.test.js'],
    deviations: [{ from: 'the story names src/date.js', why: 'the parser is in src/dates.js', material: false }],
    corrections: [{ assumption: 'months count from 1', fact: 'they count from 0', evidence: 'const month = at - 1' }],
  },
  rivals: 'last',
  // Half of it is still worth more to the next reader than nothing: no verdict hangs on it.
  cut: 'whole-elements',
  // Any object would do otherwise.
  contradictions: ({ decisions, blocked, ...rest }) =>
    decisions === null && blocked === null && Object.values(rest).every((told) => told.length === 0)
      ? ['decisions is missing; allowed: a list of at most 20']
      : [],
})

const blockedShape = record({ blocked: block })

/** Said alone, by who cannot go on. */
const blockedContract = contractOf({
  name: 'blocked',
  version: 1,
  shape: blockedShape,
  example: {
    blocked: {
      kind: 'bad-spec',
      why: 'The first criterion contradicts the third: one day cannot be both.',
      evidence: 'Given 2024-02-30, when it is parsed, then it is the 1st of March.',
    },
  },
})

/** Why the coder says that the story cannot be done as it is, or null. Its last words may quote anything: its file counts first. */
export function blockedIn({ file, text }: Written): Blocked | null {
  const written = file === null ? undefined : wordOn({ file, text: '' })
  return (written === undefined ? wordOn({ file: null, text }) : written) ?? null
}

/** Whoever hands its work over is not blocked, unless it says so in the same breath. Undefined: it says neither. */
function wordOn(written: Written): Blocked | null | undefined {
  const handoff = readAnswer(handoffContract, written).value
  return handoff === null ? readAnswer(blockedContract, written).value?.blocked : handoff.blocked
}

/** What there is of a handoff: all of it, what its author said in its own words, or nothing. */
export function handoffOf({ value, quality }: RoleAnswer<HandoffAnswer>, said: string): Handoff {
  const notes = said.trim().slice(0, 4_000)
  if (value === null) return { ...noHandoff, quality: notes === '' ? 'fallback' : 'partial', notes }
  const { blocked: _, decisions, ...told } = value
  return {
    ...told,
    decisions: decisions ?? [],
    quality: quality === 'full' ? 'full' : 'partial',
    notes: quality === 'full' ? '' : notes,
  }
}

/** The same, whole: of one that was cut off nobody knows what else it said. */
export const wholeHandoff: Contract<HandoffAnswer> = { ...handoffContract, cut: 'nothing' }

/** What can be read of one that does not do: each element for itself. */
export function remainsOf(written: Written, said: string): Handoff {
  const { blocked: _, ...lists } = shape.fields
  const fields = Object.fromEntries(Object.entries(lists).map(([key, field]) => [key, readable(field)]))
  const remains = { ...handoffContract, shape: record({ ...shape.fields, ...fields }) as typeof shape }
  const { value, problems } = readAnswer(remains, written)
  return handoffOf(
    value === null ? { quality: 'fallback', value, problems } : { quality: 'partial', value, problems },
    said,
  )
}

/** Of a list what fits. */
const readable = (of: Shape<unknown>): Shape<unknown> => ({
  ...of,
  read: (value, path) => {
    const fits = (one: unknown): boolean => {
      const problems: string[] = []
      of.read([one], path, problems)
      return problems.length === 0
    }
    return of.read(Array.isArray(value) ? value.filter(fits) : value, path, []) ?? []
  },
})

/** Whether somebody meant to leave a handoff, whatever became of it. Words may be about anything: there it must look like one. */
export const isMeantAsHandoff = ({ file, text: said }: Written): boolean =>
  new RegExp(`\\b${keys}\\b`, 'i').test(file ?? '') || new RegExp(`["'{,]\\s*${keys}["']?\\s*:`, 'i').test(said)

const keys = '(?:decisions|deviations|corrections|limitations|material)'

/** How a coder is told to end. */
export const handoffText = (): string =>
  [
    'Then, for those who come after you, what cannot be seen in the diff, as JSON like this; leave out what there is none of, except decisions:',
    JSON.stringify(handoffContract.example),
    'A deviation is material when others build on what you did otherwise than planned: another interface, place or behaviour than the story says. Then their stories are looked at again before anybody begins them.',
    'When a finding says that old tests fail, mend the code. Only when the requirement demands that such a test changes, say so under changedTests, for each: {"test": its name, "why", "criterion": which one demands it}.',
    'When the story cannot be done as it is written, change nothing more and say so instead: kind bad-spec when it contradicts itself or the code, intent-gap when what is wanted cannot be told from it.',
    JSON.stringify(blockedContract.example),
  ].join('\n')

/** What others must know is never what is cut off. */
function materialFirst<Value>(shape: Shape<Value[]>): Shape<Value[]> {
  const isMinor = (one: unknown): boolean =>
    spokenFlag().read((one as { material?: unknown } | null)?.material ?? false, '', []) === false
  return readAfter(shape, (value) =>
    Array.isArray(value) ? [...value.filter((one) => !isMinor(one)), ...value.filter(isMinor)] : value,
  )
}
