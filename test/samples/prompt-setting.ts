import { builtIn, type Setting } from '../../src/roles/prompt/prompt.ts'
import type { PromptName } from '../../src/roles/prompt/sections.ts'
import { requirementSection } from '../../src/roles/prompt/shown.ts'

/** Our own Markdown, and files in a folder that is not there. */
export const sampleSetting = (name: PromptName, given: Partial<Setting> = {}): Setting => ({
  template: builtIn(name),
  beside: (file) => `/r/${file}`,
  words: { complexities: '1, 2', storiesPerPlan: '20' },
  shared: [],
  result: '/r/result.json',
  nonce: 'n',
  ...given,
})

/** The same, where somebody has asked for something. */
export const askedSetting = (name: PromptName, text = 'Sums must be right.', given: Partial<Setting> = {}): Setting =>
  sampleSetting(name, { shared: [requirementSection({ text })], ...given })
