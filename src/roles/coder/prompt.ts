import { fenced } from '../prompt/fence.ts'
import { unnoticedTexts } from '../prompt/findings.ts'
import { assemble, type Prompt, type Setting } from '../prompt/prompt.ts'
import { coderRules, implementerRules } from '../prompt/rules.ts'
import { type Section, section } from '../prompt/sections.ts'
import { bulleted } from '../prompt/story.ts'
import { type WorkBrief, workSections } from '../prompt/work-prompt.ts'
import { handoffText } from './handoff.ts'

export interface CoderBrief extends WorkBrief {
  /** Tests that were shown to fail before any code; null: there are none. `theirs`: somebody else wrote them. */
  red: { files: string[]; theirs: boolean } | null
  /** What nothing notices in the work so far. */
  unnoticed: string[]
}

/** What is told to whoever writes the code of a story. */
export function coderPrompt(brief: CoderBrief, setting: Setting): Prompt {
  const { red } = brief
  const shared = workSections(brief, {
    rules: red?.theirs ? implementerRules : coderRules,
    end: `End when the story is done. "Finished" means nothing until the checks above have passed: they are run on your exact files, in a clean copy, by somebody else.\n${handoffText()}`,
  })
  return assemble('coder', setting, [
    ...shared,
    ...(red === null ? [] : [testsSection(red)]),
    section('unnoticed', 'What no test notices', unnoticedTexts(brief.unnoticed, noDuty)),
  ])
}

const noDuty = 'Nobody asks you to mend it; where you are at it, a test that notices is welcome.'

function testsSection({ files, theirs }: NonNullable<CoderBrief['red']>): Section {
  const there = `Tests for this story are in the directory, and were seen to fail because its code is not there yet:\n${fenced(bulleted(files), 'files')}`
  const own = 'You wrote them. Write the code now that makes them pass; change them only where they are wrong.'
  const other =
    'Somebody else wrote them. Write the code that makes them pass, and leave all test files as they are. Where a test contradicts the story, ask.'
  return section('red', 'Its tests are there: make them pass', [theirs ? other : own, there])
}
