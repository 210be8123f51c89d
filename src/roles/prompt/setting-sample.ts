import type { PromptName } from '../sees.ts'
import { builtIn } from '../templates.ts'
import type { Setting } from './prompt.ts'

/** For tests: our own Markdown, and files in a folder that is not there. */
export const sampleSetting = (name: PromptName): Setting => ({
  template: builtIn(name),
  beside: (file) => `/r/${file}`,
  words: { complexities: '1, 2', storiesPerPlan: '20' },
  shared: [],
})
