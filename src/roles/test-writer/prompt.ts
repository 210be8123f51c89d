import type { Story } from '../../delivery/plan/plan.ts'
import { fenced } from '../prompt/fence.ts'
import type { Prompt, Section } from '../prompt/prompt.ts'
import { testWriterRules } from '../prompt/rules.ts'
import { listed, section, type WorkBrief, workPrompt } from '../prompt/work-prompt.ts'

export interface TestWriterBrief extends WorkBrief {
  /** All stories of the plan, when the tests are for the requirement as a whole; null: they are for this story. */
  plan: Story[] | null
}

/** What is told to whoever writes tests before there is any code. */
export function testWriterPrompt(brief: TestWriterBrief): Prompt {
  return workPrompt(brief, {
    part: brief.plan === null ? [task(ofStory)] : [task(ofWhole), planSection(brief.plan)],
    rules: testWriterRules,
    end: 'End when the tests are written. They are run on your exact files, in a clean copy, by somebody else, and have to fail: each for the reason that the code is not there yet.',
  })
}

const task = (first: string): Section =>
  section('Your part: tests, and no code', [[first, ...howTestsAre].join('\n')], 4_000)

const ofStory =
  'Write the tests that show this story to be done, one or more for each criterion. Its code is not written yet.'

const ofWhole =
  'Write acceptance tests for the requirement as a whole: they are run again when all stories of the plan are on the line together, and must pass then. Test what a user of the product sees, from outside, in new files of their own with `acceptance` in their names: no story may change them, and you may change none that is there.'

const howTestsAre = [
  '- They must fail now: by an assertion, or because something is missing that the story will add. A test that passes already shows nothing.',
  '- They must be right: whoever writes the code is held to them. Test what is asked for, not how it may be done.',
  '- They must be run by the checks below; write them where the tests of this repository are.',
]

const planSection = (stories: Story[]): Section => section('The stories of the plan', stories.map(storyText), 48_000)

const storyText = ({ id, title, description, criteria }: Story): string =>
  fenced(`${id}: ${title}\n${description}\n${listed(criteria)}`.trim(), 'story')
