import { canonical } from '../../std/hash.ts'
import { valuesIn } from '../prompt/values.ts'
import { type Review, readReview } from './contract.ts'

/**
 * The verdict in what a verifier has written: its result file, else a block in its text. Prose is no verdict.
 * One block may be quoted from the change, so of several that differ none is taken.
 */
export async function reviewIn(resultFile: string | null, text: string): Promise<Review | null> {
  const written = await verdictsIn(resultFile, '')
  const [first, ...others] = written.length > 0 ? written : await verdictsIn(null, text)
  if (first === undefined || others.some((other) => canonical(other) !== canonical(first))) return null
  return first
}

/** Null for each that is not in its form. */
async function verdictsIn(resultFile: string | null, text: string): Promise<(Review | null)[]> {
  const found: (Review | null)[] = []
  for await (const value of valuesIn(resultFile, text))
    if (value !== null && typeof value === 'object' && 'verdict' in value) found.push(readReview(value))
  return found
}
