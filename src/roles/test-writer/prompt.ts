import type { Story } from '../../delivery/plan/plan.ts'
import { assemble, type Prompt, type Setting } from '../prompt/prompt.ts'
import { testWriterRules } from '../prompt/rules.ts'
import { section } from '../prompt/sections.ts'
import { storyTexts } from '../prompt/story.ts'
import { type WorkBrief, workSections } from '../prompt/work-prompt.ts'

export interface TestWriterBrief extends WorkBrief {
  /** All stories of the plan, when the tests are for the requirement as a whole; null: they are for this story. */
  plan: Story[] | null
}

/** What is told to whoever writes tests before there is any code. */
export function testWriterPrompt(brief: TestWriterBrief, setting: Setting): Prompt {
  const { plan } = brief
  const shared = workSections(brief, {
    rules: testWriterRules,
    end: 'End when the tests are written. They are run on your exact files, in a clean copy, by somebody else, and have to fail: each for the reason that the code is not there yet.',
  })
  if (plan === null) return assemble('test-writer', setting, shared)
  return assemble('test-writer-acceptance', setting, [
    ...shared,
    section('plan', 'The stories of the plan', storyTexts(plan)),
  ])
}
