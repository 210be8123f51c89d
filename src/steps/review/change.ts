import type { CommitId } from '../../delivery/ids.ts'
import type { Opining } from '../../delivery/inputs/reviewing.ts'
import type { Finding } from '../../delivery/judging/finding.ts'
import type { ReproduceFindings, ReviewStory, TriageFindings } from '../../delivery/review/steps.ts'
import type { FileChange } from '../../ports/repository/commits.ts'
import { addedLines } from '../../proof/files/change.ts'
import { coreOf } from '../../proof/review/risk.ts'
import { subjectOf } from '../../proof/witness/subject.ts'
import { filesIn } from '../../roles/prompt/change.ts'
import type { Setting } from '../../roles/prompt/prompt.ts'
import type { ReviewedChange } from '../../roles/prompt/reviewed-change.ts'
import type { PromptName } from '../../roles/sees.ts'
import { settingFor } from '../brief/setting.ts'
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
  return {
    story: input.spec,
    requirement: input.request.requirement,
    commit: step.commit,
    summary: [
      ...core.map(({ path, reasons }) => `${path} ${sizeOf(shown, path)}${listOf(reasons)}`),
      ...noise.map(({ path, because }) => `${path} ${sizeOf(shown, path)} (need not be read: ${because})`),
    ],
    patches: inOrder(
      patch,
      [...core, ...noise].map(({ path }) => path),
    ),
    tests: [...subjectOf(shown).tests.map(({ path }) => path), ...input.expectations.map(isBroken)],
    unnoticed: input.unnoticed,
    open: null,
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
  settingFor(work, name, { paths: whole.map(({ path }) => path) })
