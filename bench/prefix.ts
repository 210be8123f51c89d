import { vantages } from '../src/delivery/review/review.ts'
import { reviewerPrompt } from '../src/roles/reviewer/prompt.ts'
import { sampleSetting } from '../test/samples/prompt-setting.ts'
import { sampleReview } from '../test/samples/review-brief.ts'
import { sharedPrefixBytes } from '../test/samples/shared-prefix.ts'
import type { Figure } from './figure.ts'

/** How much of their prompts parallel reviewers have in common, from the first byte on: a prompt cache pays once for it. */
export async function benchPrefix(): Promise<Figure[]> {
  const texts = vantages.map(
    (vantage, seat) =>
      reviewerPrompt(sampleReview({ vantage, seat, patchBytes: 20 * 1024 }), sampleSetting('reviewer')).text,
  )
  const longest = Math.max(...texts.map((text) => Buffer.byteLength(text)))
  const share = sharedPrefixBytes(texts) / longest
  return [
    {
      ...{ name: `common prefix of ${texts.length} reviewers' prompts, diff of 20 KB`, bare: '', ratio: '' },
      ...{ ours: `${(share * 100).toFixed(1)} % of ${longest} bytes`, promised: 'at least 90 %', kept: share >= 0.9 },
    },
  ]
}
