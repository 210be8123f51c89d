import type { Requirement } from '../../delivery/intent/requirement.ts'
import type { Finding } from '../../delivery/judging/finding.ts'
import type { Story } from '../../delivery/plan/plan.ts'
import type { CheckPolicy } from '../../delivery/policy.ts'
import type { PastAttempt } from '../../delivery/story/story.ts'
import { checksSection } from './checks.ts'
import { fenced } from './fence.ts'
import { findingsSection } from './findings.ts'
import { requirementSection } from './requirement.ts'
import { type Section, section } from './sections.ts'
import { attemptTexts, bulleted, namedStory, storySection } from './story.ts'

/** What whoever works on a story may see of the delivery. */
export interface WorkBrief {
  story: Story
  requirement: Requirement
  findings: Finding[]
  past: PastAttempt[]
  /** On the line already: their work is in the directory. */
  dependencies: Changed[]
  /** Being worked on elsewhere at the same time. */
  siblings: Story[]
  checks: CheckPolicy[]
  /** The session of an earlier turn goes on: with its unfinished work, or with what was taken over of it. */
  resumed: 'no' | 'at-the-commit' | 'where-it-was'
  /** Where it writes its answer. */
  result: string
}

/** A story, and what its work has changed. */
export interface Changed {
  story: Story
  /** `added src/a.ts`; empty: it is not known. */
  changed: string[]
}

/** What is told to everybody who works on a story. */
export function workSections(brief: WorkBrief, own: { rules: string[]; end: string }): Section[] {
  return [
    storySection(brief.story, 'Your story'),
    findingsSection(brief.findings),
    requirementSection(brief.requirement),
    pastSection(brief),
    section('dependencies', 'Already there, from stories this one depends on', brief.dependencies.map(changedStory)),
    section('siblings', 'Being worked on elsewhere at the same time: leave it to them', brief.siblings.map(namedStory)),
    checksSection('Checks that will be run on your work', brief.checks),
    section('rules', 'Rules', [bulleted(own.rules)]),
    section('answer', 'How to end', [howToEnd(own.end, brief.result)]),
  ]
}

function changedStory({ story, changed }: Changed): string {
  if (changed.length === 0) return namedStory(story)
  const more = changed.length - mostPaths
  const lines = [...changed.slice(0, mostPaths), ...(more > 0 ? [`and ${more} more`] : [])]
  return fenced(`${story.id}: ${story.title}\nit has changed:\n${bulleted(lines)}`, 'story')
}

const mostPaths = 40

function pastSection({ past, resumed }: WorkBrief): Section {
  const where = resumed === 'no' ? [] : [whereYouAre[resumed]]
  return section('past', 'What was tried before', [...where, ...attemptTexts(past)])
}

const whereYouAre = {
  'where-it-was':
    'You go on in your earlier session: its last turn was cut off. The directory is as you left it then. Look at what is there, and go on from where you were.',
  'at-the-commit':
    'You go on in your earlier session. The directory holds exactly the commit that this round starts from: your work as it was taken over and tidied. What a turn that did not finish had left is archived and no longer there: do it again where it was right.',
}

const howToEnd = (end: string, result: string): string =>
  [
    end,
    `To report, write JSON to the file named by ROPEWALK_RESULT (${result}):`,
    '- optional: {"usage": {"inputTokens": 0, "outputTokens": 0, "cachedTokens": 0}, "usd": 0}',
    '- only when nobody but a human can decide, and before you change anything: {"question": {"text": "…", "options": ["…", "…"]}}',
    'Then say in a few sentences what you did and why.',
  ].join('\n')
