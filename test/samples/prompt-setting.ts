import { builtIn, type Setting } from '../../src/roles/prompt/prompt.ts'
import type { PromptName } from '../../src/roles/sees.ts'

/** Our own Markdown, and files in a folder that is not there. */
export const sampleSetting = (name: PromptName): Setting => ({
  template: builtIn(name),
  beside: (file) => `/r/${file}`,
  words: { complexities: '1, 2', storiesPerPlan: '20' },
  shared: [],
})
