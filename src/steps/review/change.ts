import type { CommitId } from '../../delivery/ids.ts'
import type { Opining } from '../../delivery/inputs/judging.ts'
import type { Finding } from '../../delivery/judging/finding.ts'
import type { ReproduceFindings, ReviewStory, TriageFindings } from '../../delivery/step.ts'
import type { FileChange } from '../../ports/repository/commits.ts'
import { addedLines } from '../../proof/files/change.ts'
import { isTestFile } from '../../proof/related/related-tests.ts'
import { fingerprintOf, isTouched, placeOfQuotation, type Sides } from '../../proof/review/quotation.ts'
import { coreOf } from '../../proof/review/risk.ts'
import { isSupport, subjectOf } from '../../proof/witness/subject.ts'
import type { Setting } from '../../roles/prompt/prompt.ts'
import type { PromptName } from '../../roles/prompt/sections.ts'
import { filesIn, type ReviewedChange } from '../../roles/prompt/shown.ts'
import type { ReviewAnswer, ReviewClaim } from '../../roles/reviewer/prompt.ts'
import { settingFor } from '../agent/setting.ts'
import type { Copies, StepWork } from '../work.ts'

/** A commit that somebody gives an opinion on, and what is seen of it: an exported tree and a squashed diff. */
export interface ShownChange {
  /** From the story's base. */
  whole: FileChange[]
  /** What this round looks at. */
  shown: FileChange[]
  told: ReviewedChange
}

type About = StepWork<ReviewStory | TriageFindings | ReproduceFindings, Copies, Opining>

/** Names that are easier to write than fingerprints. */
export const namedFindings = (findings: Finding[]): { name: string; finding: Finding }[] =>
  findings.map((finding, index) => ({ name: `F${index + 1}`, finding }))

/** Nobody is shown as much; it is for the file beside the prompt, and for what is quoted from it. */
export const longestPatch = 20_000_000

/** `since`: what was reviewed before; null: all of the story's change is shown. */
export async function reviewedSubject(work: About, since: CommitId | null): Promise<ShownChange> {
  const { world, step, repository } = work
  const from = since ?? step.base
  const patch = world.redact(await repository.patch(from, step.commit, longestPatch))
  const whole = await repository.diff(step.base, step.commit)
  const shown = since === null ? whole : await repository.diff(from, step.commit)
  return { whole, shown, told: toldOf(work, patch, shown) }
}

function toldOf({ input, step }: About, patch: string, shown: FileChange[]): ReviewedChange {
  const { core, noise } = coreOf(shown)
  const paths = [...core, ...noise].map(({ path }) => path)
  return {
    ...{ story: input.spec, commit: step.commit, unnoticed: input.unnoticed, open: null },
    summary: [
      ...core.map(({ path, reasons }) => `${path} ${sizeOf(shown, path)}${listOf(reasons)}`),
      ...noise.map(({ path, because }) => `${path} ${sizeOf(shown, path)} (need not be read: ${because})`),
    ],
    patches: inOrder(patch, paths),
    tests: [...subjectOf(shown).tests.map(({ path }) => path), ...input.expectations.map(isBroken)],
  }
}

/** Nobody has decided yet whether they may. */
const isBroken = (test: string): string =>
  `"${test}" fails as it was before this change: look whether the requirement demands that it changes`

const listOf = (reasons: string[]): string => (reasons.length === 0 ? '' : ` (${reasons.join(', ')})`)

function sizeOf(changes: FileChange[], path: string): string {
  const change = changes.find((one) => one.path === path)!
  const back = { ...change, before: change.after, after: change.before }
  return `${change.status}, +${addedLines(change).length} -${addedLines(back).length}`
}

/** File by file, what matters most first; and before all, that there is more, where git was cut off. */
function inOrder(patch: string, paths: string[]): string[] {
  const cut = /(?<=\n)\[cut: [^\n]*\]\n$/.exec(patch)?.[0]
  const place = (part: string): number => {
    const head = part.slice(0, part.indexOf('\n'))
    const index = paths.findIndex((path) => head.endsWith(` b/${path}`) || head.endsWith(`/${path}"`))
    return index === -1 ? paths.length : index
  }
  const parts = filesIn(patch).map((part) => ({ part, at: place(part) }))
  return [...(cut === undefined ? [] : [cut]), ...parts.toSorted((a, b) => a.at - b.at).map(({ part }) => part)]
}

/** What somebody who judges it is told with. */
export const settingOf = (work: About, name: PromptName, { whole }: ShownChange): Promise<Setting> =>
  settingFor(
    work,
    name,
    whole.map(({ path }) => path),
  )

/** A review, and what its claims are looked up in. */
export type ReviewGround = StepWork<ReviewStory> & ShownChange

export interface Looked {
  finding: Finding
  /** What it quotes is there. */
  founded: boolean
  /** At a place that the change has to do with. */
  inside: boolean
}

/** What cannot be looked up is no finding; that it was said is kept as a note. */
export async function lookUpClaim(claim: ReviewClaim, ground: ReviewGround): Promise<Looked> {
  const { step, input, shown } = ground
  const file = plainPath(claim.file)
  const sides = await sidesOf(file, ground)
  const place = placeOfQuotation(claim.evidence, sides, claim.line)
  const exists = sides.after !== null || sides.before !== null
  const words = claim.message.slice(0, 2_000)
  const message =
    place === null
      ? `left out, because what it quotes is not ${exists ? 'there' : 'in any file of that name'}: ${words}`
      : words
  const said = { file: exists ? file : null, message, evidence: claim.evidence.slice(0, 4_000) }
  const rule = place === null ? unfounded : 'review'
  const known = [...step.open, ...input.known]
  // What was left out for want of a quotation is another thing than the same with one: dismissing that is not dismissing this.
  const alike = known.filter((one) => (one.rule === unfounded) === (rule === unfounded))
  const finding: Finding = {
    ...{ ...said, rule, source: `review:${step.vantage}` },
    severity: place === null ? 'note' : claim.severity,
    line: typeof place === 'number' ? place : null,
    fingerprint: fingerprintOf(said, alike),
    fixTarget: isTestFile(file, sides.after) || isSupport(file) ? 'tests' : 'code',
  }
  const again = known.some(({ fingerprint }) => fingerprint === finding.fingerprint)
  return { finding, founded: place !== null, inside: again || isTouched(finding, shown) }
}

const unfounded = 'review-unfounded'

export const plainPath = (path: string): string => path.replace(/^\.\//, '')

async function sidesOf(file: string, { repository, step, world, whole, shown }: ReviewGround): Promise<Sides> {
  const after = await repository.readFile(step.commit, file)
  const before = [...shown, ...whole].filter(({ path, oldPath }) => path === file || oldPath === file)
  const texts = before.flatMap((change) => change.before ?? [])
  return {
    after: after === null ? null : world.redact(after),
    before: texts.length === 0 ? null : world.redact(texts.join('\n')),
  }
}

/** In the file that is spoken of, or in one that the change touches. */
export async function isQuotedAnywhere(evidence: string, file: string | null, ground: ReviewGround): Promise<boolean> {
  const files = [...(file === null ? [] : [file]), ...ground.whole.map(({ path }) => path)]
  for (const one of files) if (placeOfQuotation(evidence, await sidesOf(one, ground), null) !== null) return true
  return false
}

/**
 * What to say to a reviewer none of whose claims can be looked up, while it can still look again. Files that the change
 * does not touch are not read for that.
 */
export async function unfoundedIn(ground: ReviewGround): Promise<(review: ReviewAnswer) => string[]> {
  const files = new Set(await ground.repository.listFiles(ground.step.commit))
  return ({ findings, scope }) => {
    const claims = [
      ...findings.map((claim, index) => ({ claim, name: `findings[${index}]` })),
      ...(scope ?? []).map((claim, index) => ({ claim, name: `scope[${index}]` })),
    ]
    const told = claims
      .filter(({ claim }) => claim.severity === 'blocking' || claim.severity === 'important')
      .map(({ claim, name }) => problemWith(claim, name, { ground, files }))
    return told.every((problem) => problem !== null) ? told : []
  }
}

function problemWith(
  { file: named, line, evidence }: ReviewClaim,
  name: string,
  { ground, files }: { ground: ReviewGround; files: ReadonlySet<string> },
): string | null {
  const file = plainPath(named)
  const change = ground.whole.find(({ path, oldPath }) => path === file || oldPath === file)
  if (change === undefined) return files.has(file) ? null : `${name}.file is ${named}, and there is no such file`
  const [before, after] = [change.before, change.after].map((text) =>
    text === null ? null : ground.world.redact(text),
  )
  return placeOfQuotation(evidence, { before: before!, after: after! }, line) === null
    ? `${name}.evidence is not in ${file} word for word: quote whole lines`
    : null
}
