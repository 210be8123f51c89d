import type { CommitId } from '../../delivery/ids.ts'
import { type Finding, severities } from '../../delivery/judging/finding.ts'
import type { Vantage } from '../../delivery/review/review.ts'
import { type AnswerTo, contractOf, exampleText } from '../answer/contract.ts'
import { list, oneOf, optional, record, text, whole } from '../answer/shape.ts'
import { assemble, type Prompt, type Setting } from '../prompt/prompt.ts'
import { fenced, section } from '../prompt/sections.ts'
import { changeSections, namedFinding, type ReviewedChange } from '../prompt/shown.ts'
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
}

/** Parallel reviewers are told the same, byte for byte, up to what each of them is to look at. */
export const reviewerPrompt = (brief: ReviewerBrief, setting: Setting): Prompt =>
  assemble('reviewer', setting, [
    ...changeSections(brief),
    section('form', 'The form of your answer', [form(brief)]),
    section('vantage', 'From where you look', vantageTexts(brief)),
    section('answer', 'How to answer', answer(brief, setting)),
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
const answer = ({ criteria, checklist, isPart, scope }: ReviewerBrief, { result }: Setting): string[] => [
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

/** A place, with a quotation that shows what is said of it. */
export const shownPlace = {
  file: text(1, 1_000),
  line: optional(whole(1, 10_000_000), null),
  message: text(1, 4_000),
  evidence: optional(text(0, 20_000), ''),
}

/** Something wrong. */
const claim = record({ severity: oneOf(severities), ...shownPlace })

/** Something that nobody asked for. */
const beyond = record({ severity: optional(oneOf(severities), 'suggestion'), ...shownPlace })

const states = ['met', 'partial', 'missing', 'unclear'] as const
const fates = ['passed', 'failed', 'unverifiable'] as const
const word = <const State extends string>(of: readonly State[]) =>
  record({
    number: whole(1, 1_000),
    state: oneOf(of),
    why: optional(text(0, 1_000), ''),
  })

export const mostClaims = 50
const mostBeyond = 20

/** The commit keeps apart what a reviewer says and what it quotes: nothing that is in a commit can name it. */
const shapeFor = (commit: CommitId) =>
  record({
    commit: oneOf([commit]),
    verdict: oneOf(['approve', 'needs-work']),
    findings: optional(list(claim, { most: mostClaims }), []),
    checked: optional(list(text(1, 1_000), { most: 100 }), []),
    criteria: optional(list(word(states), { most: 200 }), []),
    checklist: optional(list(word(fates), { most: 200 }), []),
    scope: optional(list(beyond, { most: mostBeyond }), null),
  })

export type ReviewAnswer = ReturnType<ReturnType<typeof shapeFor>['read']>
export type ReviewClaim = ReviewAnswer['findings'][number]

/** `unfounded`: what is wrong with all that would hold the work up, where none of it can be looked up. */
export const reviewContract = (commit: CommitId, unfounded: (review: ReviewAnswer) => string[] = () => []) =>
  contractOf({
    name: 'review',
    version: 2,
    shape: shapeFor(commit),
    example: exampleOf(commit),
    contradictions: (review) => [...contradictionsIn(review), ...unfounded(review)],
  })

/** What an approval holds against the work is not asked about again: it counts. */
function contradictionsIn({ verdict, findings, checked, criteria, checklist, scope }: ReviewAnswer): string[] {
  const lacks = [...criteria, ...checklist].some(({ state }) => lacking.includes(state))
  const named = [...findings, ...(scope ?? [])]
  if (verdict === 'needs-work')
    return named.length === 0 && !lacks ? ['the verdict is needs-work, but there are no findings'] : []
  return checked.length === 0 ? ['the verdict is approve, but "checked" names nothing that was looked at'] : []
}

/** It is to be mended, though no finding says so besides. */
export const lacking: string[] = ['missing', 'partial', 'failed']

const exampleOf = (commit: CommitId): Record<string, unknown> => ({
  commit,
  verdict: 'needs-work',
  findings: [
    {
      severity: 'blocking',
      file: 'src/dates.js',
      line: 14,
      message: 'The 30th of February is accepted, against the first criterion: parse("2024-02-30") returns a date.',
      evidence: 'return day <= 31',
    },
  ],
  checked: ['src/dates.js: every branch of parse, with the first and last day of each month'],
  criteria: [{ number: 1, state: 'partial', why: 'Days beyond 31 are refused, those beyond the month are not.' }],
  checklist: [],
  scope: [],
})

const stances = ['upheld', 'disputed', 'unsure'] as const

/** What a reviewer who approved must say about others' findings. */
export const rebuttalContract = (commit: CommitId, names: string[]) =>
  contractOf({
    name: 'rebuttal',
    version: 1,
    shape: record({
      commit: oneOf([commit]),
      rebuttals: list(
        record({
          finding: oneOf(names),
          stance: oneOf(stances),
          because: text(1, 4_000),
          evidence: optional(text(0, 20_000), ''),
        }),
        { most: Math.max(50, names.length) },
      ),
    }),
    example: {
      commit,
      rebuttals: names.map((finding) => ({
        finding,
        stance: 'disputed',
        because: 'The day is held against the month one line above, which the finding leaves out.',
        evidence: 'if (day > daysIn(month, year)) throw new RangeError(text)',
      })),
    },
    bareList: { field: 'rebuttals', key: 'stance' },
    contradictions: ({ rebuttals }) => {
      const said = rebuttals.map(({ finding }) => finding)
      const missing = names.filter((name) => !said.includes(name))
      const twice = names.filter((name) => said.filter((one) => one === name).length > 1)
      return [
        ...missing.map((name) => `nothing is said about ${name}`),
        ...twice.map((name) => `${name} is spoken of more than once`),
      ]
    },
  })

export type Rebuttals = AnswerTo<typeof rebuttalContract>

interface RebuttalBrief extends ReviewedChange {
  /** What others found, by the names that it is to use. */
  rebuts: { name: string; finding: Finding }[]
}

/** What a reviewer who approved is told about what others saw. */
export const rebuttalPrompt = (brief: RebuttalBrief, setting: Setting): Prompt =>
  assemble('reviewer-rebuttal', setting, [
    ...changeSections(brief),
    section('rebuts', 'Findings of other reviewers', brief.rebuts.map(namedFinding)),
    section('answer', 'How to answer', rebuttalAnswer(brief, setting)),
  ])

/** The example last: it speaks of each of them. */
const rebuttalAnswer = ({ commit, rebuts }: RebuttalBrief, { result }: Setting): string[] => [
  [
    `Write JSON to the file named by ROPEWALK_RESULT (${result}); if you cannot write it, end your reply with the same JSON in one fenced block:`,
    `- "commit": ${commit}.`,
    '- "rebuttals": for each finding by its name in "finding" the "stance" (upheld, disputed, unsure), "because", and for a dispute "evidence": the whole lines that show that it is wrong, quoted word for word.',
  ].join('\n'),
  exampleText(
    rebuttalContract(
      commit,
      rebuts.map(({ name }) => name),
    ),
  ),
]
