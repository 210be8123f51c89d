import type { Finding } from '../../delivery/judging/finding.ts'
import type { FileChange, Repository } from '../../ports/repository.ts'
import { isTestFile } from '../../proof/related/related-tests.ts'
import { placeOfQuotation, type Sides } from '../../proof/review/quotation.ts'
import { fingerprintOf, isTouched } from '../../proof/review/same-finding.ts'
import { isSupport } from '../../proof/witness/subject.ts'
import type { ReviewClaim } from '../../roles/reviewer/contract.ts'

/** What claims are looked up in. */
export interface Ground {
  repository: Repository
  commit: string
  redact: (text: string) => string
  whole: FileChange[]
  shown: FileChange[]
  /** What was found before, whatever became of it. */
  known: Finding[]
  source: string
}

export interface Looked {
  finding: Finding
  /** What it quotes is there. */
  founded: boolean
  /** At a place that the change has to do with. */
  inside: boolean
}

/** What cannot be looked up is no finding; that it was said is kept as a note. */
export async function lookUp(claim: ReviewClaim, ground: Ground): Promise<Looked> {
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
  // What was left out for want of a quotation is another thing than the same with one: dismissing that is not dismissing this.
  const known = ground.known.filter((one) => (one.rule === unfounded) === (rule === unfounded))
  const finding: Finding = {
    ...{ ...said, rule, source: ground.source },
    severity: place === null ? 'note' : claim.severity,
    line: typeof place === 'number' ? place : null,
    fingerprint: fingerprintOf(said, known),
    fixTarget: isTestFile(file, sides.after) || isSupport(file) ? 'tests' : 'code',
  }
  const again = ground.known.some(({ fingerprint }) => fingerprint === finding.fingerprint)
  return { finding, founded: place !== null, inside: again || isTouched(finding, ground.shown) }
}

const unfounded = 'review-unfounded'

export const plainPath = (path: string): string => path.replace(/^\.\//, '')

async function sidesOf(file: string, { repository, commit, redact, whole, shown }: Ground): Promise<Sides> {
  const after = await repository.readFile(commit, file)
  const before = [...shown, ...whole].filter(({ path, oldPath }) => path === file || oldPath === file)
  const texts = before.flatMap((change) => change.before ?? [])
  return {
    after: after === null ? null : redact(after),
    before: texts.length === 0 ? null : redact(texts.join('\n')),
  }
}

/** In the file that is spoken of, or in one that the change touches. */
export async function isQuotedAnywhere(evidence: string, file: string | null, ground: Ground): Promise<boolean> {
  const files = [...(file === null ? [] : [file]), ...ground.whole.map(({ path }) => path)]
  for (const one of files) if (placeOfQuotation(evidence, await sidesOf(one, ground), null) !== null) return true
  return false
}
