import { placeOfQuotation } from '../../proof/review/quotation.ts'
import type { ReviewAnswer, ReviewClaim } from '../../roles/reviewer/contract.ts'
import { type Ground, plainPath } from './founded.ts'

/**
 * What to say to a reviewer none of whose claims can be looked up, while it can still look again. Files that the change
 * does not touch are not read for that.
 */
export async function unfoundedIn(ground: Ground): Promise<(review: ReviewAnswer) => string[]> {
  const files = new Set(await ground.repository.listFiles(ground.commit))
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
  { ground, files }: { ground: Ground; files: ReadonlySet<string> },
): string | null {
  const file = plainPath(named)
  const change = ground.whole.find(({ path, oldPath }) => path === file || oldPath === file)
  if (change === undefined) return files.has(file) ? null : `${name}.file is ${named}, and there is no such file`
  const [before, after] = [change.before, change.after].map((text) => (text === null ? null : ground.redact(text)))
  return placeOfQuotation(evidence, { before: before!, after: after! }, line) === null
    ? `${name}.evidence is not in ${file} word for word: quote whole lines`
    : null
}
