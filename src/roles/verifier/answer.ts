import { valuesIn } from '../prompt/values.ts'
import { type Review, readReview } from './contract.ts'

/** The verdict in what a verifier has written: its result file, else a block in its text. Prose is no verdict. */
export async function reviewIn(resultFile: string | null, text: string): Promise<Review | null> {
  for await (const value of valuesIn(resultFile, text)) {
    const review = readReview(value)
    if (review !== null) return review
  }
  return null
}
