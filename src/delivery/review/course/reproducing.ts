import type { Finding } from '../../judging/finding.ts'
import type { DeliveryState } from '../../state.ts'
import { policyOf } from '../../state.ts'
import type { StoryState } from '../../story/story.ts'
import type { Reproduction } from '../review.ts'
import { endReview, nameWhatBlocks, putOff, sendBack } from './ending.ts'

/** A test that fails as predicted confirms a finding; one that passes puts it off; anything else says nothing. */
export function findingsReproduced(
  state: DeliveryState,
  story: StoryState,
  { reproductions, red }: { reproductions: Reproduction[]; red: { commit: string } | null },
): void {
  const { control } = story
  if (control.status !== 'reproducing') return
  const { base, commit, tree, also } = control
  const tried = control.mend.slice(0, policyOf(state).limits.reproductions)
  const resultOf = (finding: Finding) =>
    tried.includes(finding) ? reproductions.find(({ fingerprint }) => fingerprint === finding.fingerprint) : undefined
  const mend = control.mend.filter((finding) => resultOf(finding)?.result !== 'refuted')
  for (const finding of control.mend) {
    const shown = resultOf(finding)
    if (shown?.result !== 'refuted') continue
    const because = `a test shows otherwise: ${shown.why}`
    putOff(story, [finding], because)
    nameWhatBlocks(state, story, { findings: [finding], because })
  }
  const confirmed = mend.flatMap((finding) => {
    const shown = resultOf(finding)
    return shown?.result === 'confirmed' && shown.test !== null ? [shown.test] : []
  })
  if (mend.length === 0) {
    putOff(story, also, 'it does not block')
    return endReview(state, story, { base, commit, tree })
  }
  const kept = red !== null && confirmed.length > 0 ? { commit: red.commit, tests: [...new Set(confirmed)] } : null
  const told = mend.map((finding) => withTest(finding, resultOf(finding)))
  sendBack(state, story, { base, commit, tree, mend: told, also, red: kept })
}

const withTest = (finding: Finding, shown: Reproduction | undefined): Finding =>
  shown?.result === 'confirmed'
    ? {
        ...finding,
        evidence: `${finding.evidence}\n${shown.test ?? 'a test'} fails because of it: ${shown.why}`.trim(),
      }
    : finding
