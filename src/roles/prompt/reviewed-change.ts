import type { CommitId } from '../../delivery/ids.ts'
import type { Requirement } from '../../delivery/intent/requirement.ts'
import type { Finding } from '../../delivery/judging/finding.ts'
import type { Story } from '../../delivery/plan/plan.ts'
import { fenced } from './fence.ts'
import { findingTexts, unnoticedTexts } from './findings.ts'
import { requirementSection } from './requirement.ts'
import { type Section, section } from './sections.ts'
import { bulleted, storySection } from './story.ts'

/** What all who judge a commit are shown, and nothing that its authors say about it. */
export interface ReviewedChange {
  story: Story
  requirement: Requirement
  commit: CommitId
  /** One line for each changed file, what matters most first. */
  summary: string[]
  /** The change file by file, in the same order. */
  patches: string[]
  tests: string[]
  /** What nothing notices in it. */
  unnoticed: string[]
  /** Only what has changed since an earlier round is shown, and this was open then; null: all of it is. */
  open: Finding[] | null
}

/** The same for all of them, so that their prompts begin alike. */
export function changeSections({
  story,
  requirement,
  summary,
  patches,
  tests,
  unnoticed,
  open,
}: ReviewedChange): Section[] {
  const title = open === null ? 'The change' : 'What has changed since it was last reviewed'
  const change = section(
    'change',
    title,
    patches.flatMap(piecesOf).map((piece) => fenced(piece, 'diff')),
  )
  return [
    storySection(story, 'The story'),
    requirementSection(requirement),
    {
      ...change,
      summary: `It is too long to be shown here as a whole. What it touches, what matters most first:\n${fenced(summary.join('\n'), 'files')}`,
    },
    section('tests', 'Its tests', [
      ...(tests.length === 0 ? [] : [fenced(bulleted(tests), 'files')]),
      ...unnoticedTexts(unnoticed, 'Look whether what the story asks for is tested.'),
    ]),
    section('open', 'Open when it was last reviewed: look whether it is mended', findingTexts(open ?? [])),
  ]
}

/** Of a long patch the beginning can be shown, where all of it cannot; each piece ends with a line. */
function piecesOf(patch: string): string[] {
  if (Buffer.byteLength(patch) <= longestPiece) return [patch]
  const pieces: string[] = []
  let piece = ''
  for (const line of patch.split(/(?<=\n)/)) {
    if (piece !== '' && Buffer.byteLength(piece) + Buffer.byteLength(line) > longestPiece) {
      pieces.push(piece)
      piece = ''
    }
    piece += line
  }
  return [...pieces, piece]
}

const longestPiece = 10_000
