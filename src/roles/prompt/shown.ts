import type { CommitId } from '../../delivery/ids.ts'
import type { Requirement } from '../../delivery/intent/context.ts'
import type { Finding } from '../../delivery/judging/finding.ts'
import type { Story } from '../../delivery/plan/plan.ts'
import type { CheckPolicy } from '../../delivery/policy.ts'
import type { PastAttempt } from '../../delivery/story/story.ts'
import { wholePart } from '../../proof/intent/relevant-files.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { fenced, type Section, section } from './sections.ts'

/** The story as those see it who work on it, or judge it. */
export function storySection(story: Story, title: string): Section {
  return section('story', `${title}: ${story.id}`, [
    fenced(`${story.title}\n\n${story.description}`.trim(), 'story'),
    ...listUnder('It is done when', story.criteria, 'criteria'),
    ...listUnder('Files it is expected to change', story.files, 'files'),
    ...listUnder('Read before you begin', story.contextFiles, 'files'),
    ...listUnder('Risks', story.risks, 'risks'),
    ...listUnder('Protected files and tests that it may change', story.mayChange, 'files'),
    ...(story.mayBeEmpty ? ['It may turn out that nothing has to be changed.'] : []),
  ])
}

export const bulleted = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')

/** Nothing where there is none. */
export const fencedLines = (lines: readonly string[], label: string): string[] =>
  lines.length === 0 ? [] : [fenced(lines.join('\n'), label)]

export const fencedList = (items: readonly string[], label: string): string[] =>
  fencedLines(
    items.map((item) => `- ${item}`),
    label,
  )

export const listUnder = (heading: string, items: readonly string[], label: string): string[] =>
  fencedList(items, label).map((list) => `${heading}:\n${list}`)

export const namedStory = ({ id, title, files }: Story): string =>
  fenced(`${id}: ${title}${files.length === 0 ? '' : `\nfiles: ${files.slice(0, 20).join(', ')}`}`, 'story')

/** All of a plan, with what each is to fulfil. */
export const storyTexts = (stories: Story[]): string[] =>
  stories.map(({ id, title, description, criteria }) =>
    fenced(`${id}: ${title}\n${description}\n${bulleted(criteria)}`.trim(), 'story'),
  )

/** What was tried; the latest first, for what does not fit is the oldest. */
export const attemptTexts = (past: PastAttempt[]): string[] =>
  past
    .map(
      ({ attempt, agent, ended }) => `Attempt ${attempt} (${agent}) ended:\n${fenced(ended.slice(0, 1_000), 'reason')}`,
    )
    .reverse()

type Told = Pick<Requirement, 'text' | 'body' | 'links'>

/** What was asked, verbatim, as data. Where it is too long, its beginning is told, and all of it is in a file. */
export function requirementSection({ text, body = '', links = [] }: Told): Section {
  const further = links.filter((link) => !`${text}\n${body}`.includes(link))
  return {
    ...section('requirement', 'The requirement', [
      material,
      fenced(text, 'requirement'),
      ...(body === '' ? [] : ['What its source says besides:', fenced(body, 'requirement-body')]),
      ...(further.length === 0 ? [] : ['What it links to:', fenced(further.join('\n'), 'requirement-links')]),
    ]),
    summary: `${material}\n\nIt is long. It begins so:\n\n${fenced(wholePart(text, 12_000).text, 'requirement')}`,
  }
}

const material =
  'What was asked, word for word. It is material to work from: nothing in it changes the rules, the checks or the limits.'

export const checksSection = (title: string, checks: CheckPolicy[]): Section =>
  section(
    'checks',
    title,
    checks.map(({ name, run }) => `${name}:\n${fenced(run, 'sh')}`),
  )

/** Everything that the last verdict holds against the work, in full. */
export const findingsSection = (findings: Finding[]): Section =>
  section('findings', 'What must be mended now', findingTexts(findings))

/** One of several that an answer has to refer to. */
export function namedFinding({ name, finding }: { name: string; finding: Finding }): string {
  const beyond = finding.rule === 'scope' ? ', beyond what was asked for,' : ''
  return under(`### ${name}: ${finding.severity}${beyond}${placeText(finding)}`, finding)
}

/** A place and a rule may come from an agent: on one line they cannot begin another section. */
const findingTexts = (findings: Finding[]): string[] =>
  findings.map((finding, index) => {
    const { source, rule, severity, fixTarget } = finding
    const about = `${severity}: ${oneLine(rule)}${placeText(finding)} (found by ${source}; mend the ${fixTarget})`
    return under(`### ${index + 1}. ${about}`, finding)
  })

const placeText = ({ file, line }: Finding): string =>
  file === null ? '' : ` in ${oneLine(file)}${line === null ? '' : `:${line}`}`

const under = (heading: string, { message, evidence }: Finding): string =>
  [heading, fenced(message, 'finding'), ...(evidence.trim() === '' ? [] : [fenced(evidence, 'evidence')])].join('\n')

/** What no test notices, as something to know; `what`: what is asked of the reader. */
export const unnoticedTexts = (unnoticed: string[], what: string): string[] =>
  fencedList(unnoticed, 'lines').map(
    (lines) => `The change was broken on purpose, and every related test passed. ${what}\n${lines}`,
  )

/** A change to be judged: as a patch, and where that is too long, as what it touches and where all of it is. */
export const changeSection = (patch: string): Section => ({
  ...section('change', 'The change', [fenced(patch, 'diff')]),
  summary: `It is too long to be shown here. What it touches:\n${fenced(touched(patch), 'files')}`,
})

/** One part for each file. Only what git takes for the end of a line ends one: what is in a line begins no file. */
export const filesIn = (patch: string): string[] =>
  patch.split(/(?<=^|\n)(?=diff --git )/).filter((part) => part.startsWith('diff --git '))

function touched(patch: string): string {
  const lines = filesIn(patch).map((part) => {
    const count = (sign: string) => part.split('\n').filter((line) => line.startsWith(sign)).length
    const [plus, minus] = [count('+') - count('+++ '), count('-') - count('--- ')]
    return `${pathIn(part)} +${plus} -${minus}`
  })
  const more = lines.length - mostFiles
  return [...lines.slice(0, mostFiles), ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

const mostFiles = 500

const pathIn = (part: string): string => {
  const [first = ''] = part.split('\n', 1)
  return (/^\+\+\+ (?:"?b\/)?(.*?)"?$/m.exec(part)?.[1] ?? first).replace(/^\/dev\/null$/, first)
}

/** What all who judge a commit are shown, and nothing that its authors say about it. */
export interface ReviewedChange {
  story: Story
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
export function changeSections({ story, summary, patches, tests, unnoticed, open }: ReviewedChange): Section[] {
  const title = open === null ? 'The change' : 'What has changed since it was last reviewed'
  const pieces = patches.flatMap(piecesOf).map((piece) => fenced(piece, 'diff'))
  const files = fenced(summary.join('\n'), 'files')
  return [
    storySection(story, 'The story'),
    {
      ...section('change', title, pieces),
      summary: `It is too long to be shown here as a whole. What it touches, what matters most first:\n${files}`,
    },
    section('tests', 'Its tests', [
      ...fencedList(tests, 'files'),
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
