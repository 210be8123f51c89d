import type { Story } from '../../delivery/plan/plan.ts'
import type { PastAttempt } from '../../delivery/story/story.ts'
import { fenced } from './fence.ts'
import { type Section, section } from './sections.ts'

/** The story as those see it who work on it, or judge it. */
export function storySection(story: Story, title: string): Section {
  const { description, criteria, files, contextFiles, risks, mayChange, mayBeEmpty } = story
  const parts = [fenced(`${story.title}\n\n${description}`.trim(), 'story')]
  parts.push(
    ...listUnder('It is done when', criteria, 'criteria'),
    ...listUnder('Files it is expected to change', files, 'files'),
    ...listUnder('Read before you begin', contextFiles, 'files'),
    ...listUnder('Risks', risks, 'risks'),
    ...listUnder('Protected files and tests that it may change', mayChange, 'files'),
  )
  if (mayBeEmpty) parts.push('It may turn out that nothing has to be changed.')
  return section('story', `${title}: ${story.id}`, parts)
}

/** Nothing where the list is empty. */
export const listUnder = (heading: string, items: readonly string[], label: string): string[] =>
  items.length === 0 ? [] : [`${heading}:\n${fenced(bulleted(items), label)}`]

/** One of several. */
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

export const bulleted = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')
