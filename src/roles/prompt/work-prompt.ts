import type { Finding } from '../../delivery/judging/finding.ts'
import type { Story } from '../../delivery/plan/plan.ts'
import type { CheckPolicy } from '../../delivery/policy.ts'
import type { PastAttempt } from '../../delivery/story/story.ts'
import { fenced } from './fence.ts'
import { findingsSection } from './findings.ts'
import { buildPrompt, type Prompt, type Section } from './prompt.ts'
import { requirementSection } from './requirement.ts'

/** What whoever works on a story may see of the delivery. */
export interface WorkBrief {
  story: Story
  requirement: { text: string; source: string; submitter: string }
  findings: Finding[]
  past: PastAttempt[]
  /** On the line already: their work is in the directory. */
  dependencies: Story[]
  /** Being worked on elsewhere at the same time. */
  siblings: Story[]
  checks: CheckPolicy[]
  /** The session of an earlier turn goes on: with its unfinished work, or with what was taken over of it. */
  resumed: 'no' | 'at-the-commit' | 'where-it-was'
  files: { story: string; findings: string; requirement: string; result: string }
}

/** The story first, then whose part of it this is, then what is wrong, then why, then how. */
export function workPrompt(brief: WorkBrief, own: { part: Section[]; rules: string[]; end: string }): Prompt {
  return buildPrompt([
    storySection(brief.story, brief.files.story),
    ...own.part,
    findingsSection(brief.findings, brief.files.findings),
    requirementSection(brief.requirement, brief.files.requirement),
    pastSection(brief),
    section('Already there, from stories this one depends on', brief.dependencies.map(named), 4_000),
    section('Being worked on elsewhere at the same time: leave it to them', brief.siblings.map(named), 4_000),
    section('Checks that will be run on your work', brief.checks.map(checkLine), 4_000),
    section('Rules', [own.rules.map((rule) => `- ${rule}`).join('\n')], 4_000),
    section('How to end', [howToEnd(own.end, brief.files.result)], 4_000),
  ])
}

export const section = (title: string, parts: string[], budgetBytes: number): Section => ({
  title,
  parts,
  budgetBytes,
  overflow: null,
})

export function storySection(story: Story, overflow: string | null): Section {
  const { id, title, description, criteria, files, mayChange, mayBeEmpty } = story
  const parts = [fenced(`${title}\n\n${description}`.trim(), 'story')]
  if (criteria.length > 0) parts.push(`It is done when:\n${fenced(listed(criteria), 'criteria')}`)
  if (files.length > 0) parts.push(`Files it is expected to change:\n${fenced(listed(files), 'files')}`)
  if (mayChange.length > 0)
    parts.push(`Protected files and tests that it may change:\n${fenced(listed(mayChange), 'files')}`)
  if (mayBeEmpty) parts.push('It may turn out that nothing has to be changed.')
  return { title: `Your story: ${id}`, parts, budgetBytes: 64_000, overflow }
}

function pastSection({ past, resumed }: WorkBrief): Section {
  const parts = past.map(
    ({ attempt, agent, ended }) => `Attempt ${attempt} (${agent}) ended:\n${fenced(ended.slice(0, 1_000), 'reason')}`,
  )
  return section(
    'What was tried before',
    [...parts.slice(-6), ...(resumed === 'no' ? [] : [whereYouAre[resumed]])],
    8_000,
  )
}

const whereYouAre = {
  'where-it-was':
    'You go on in your earlier session: its last turn was cut off. The directory is as you left it then. Look at what is there, and go on from where you were.',
  'at-the-commit':
    'You go on in your earlier session. The directory holds exactly the commit that this round starts from: your work as it was taken over and tidied. What a turn that did not finish had left is archived and no longer there: do it again where it was right.',
}

const named = ({ id, title, files }: Story): string =>
  fenced(`${id}: ${title}${files.length === 0 ? '' : `\nfiles: ${files.slice(0, 20).join(', ')}`}`, 'story')

const checkLine = ({ name, run }: CheckPolicy): string => `${name}:\n${fenced(run, 'sh')}`

export const listed = (items: string[]): string => items.map((item) => `- ${item}`).join('\n')

const howToEnd = (end: string, result: string): string =>
  [
    end,
    `To report, write JSON to the file named by ROPEWALK_RESULT (${result}):`,
    '- optional: {"usage": {"inputTokens": 0, "outputTokens": 0, "cachedTokens": 0}, "usd": 0}',
    '- only when nobody but a human can decide, and before you change anything: {"question": {"text": "…", "options": ["…", "…"]}}',
    'Then say in a few sentences what you did and why.',
  ].join('\n')
