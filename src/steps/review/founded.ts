import type { Finding } from '../../delivery/judging/finding.ts'
import type { ReviewStory } from '../../delivery/review/steps.ts'
import { isTestFile } from '../../proof/related/related-tests.ts'
import { placeOfQuotation, type Sides } from '../../proof/review/quotation.ts'
import { fingerprintOf, isTouched } from '../../proof/review/same-finding.ts'
import { isSupport } from '../../proof/witness/subject.ts'
import type { ReviewAnswer, ReviewClaim } from '../../roles/reviewer/contract.ts'
import type { StepWork } from '../work.ts'
import type { ShownChange } from './change.ts'

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
