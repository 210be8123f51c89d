import type { Story } from '../../delivery/plan/plan.ts'
import { fenced } from './fence.ts'
import { type Section, section } from './sections.ts'

/** The story as those see it who work on it, or judge it. */
export function storySection(story: Story, title: string): Section {
  const { description, criteria, files, contextFiles, risks, mayChange, mayBeEmpty } = story
  const parts = [fenced(`${story.title}\n\n${description}`.trim(), 'story')]
  const add = (heading: string, items: string[], label: string): void => {
    if (items.length > 0) parts.push(`${heading}:\n${fenced(bulleted(items), label)}`)
  }
  add('It is done when', criteria, 'criteria')
  add('Files it is expected to change', files, 'files')
  add('Read before you begin', contextFiles, 'files')
  add('Risks', risks, 'risks')
  add('Protected files and tests that it may change', mayChange, 'files')
  if (mayBeEmpty) parts.push('It may turn out that nothing has to be changed.')
  return section('story', `${title}: ${story.id}`, parts)
}

/** One of several. */
export const namedStory = ({ id, title, files }: Story): string =>
  fenced(`${id}: ${title}${files.length === 0 ? '' : `\nfiles: ${files.slice(0, 20).join(', ')}`}`, 'story')

/** All of a plan, with what each is to fulfil. */
export const storyTexts = (stories: Story[]): string[] =>
  stories.map(({ id, title, description, criteria }) =>
    fenced(`${id}: ${title}\n${description}\n${bulleted(criteria)}`.trim(), 'story'),
  )

export const bulleted = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')
