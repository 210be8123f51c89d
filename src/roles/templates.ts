import assumptions from './challenger/assumptions.md'
import tryExamples from './challenger/examples.md'
import auditPlan from './challenger/plan.md'
import challenger from './challenger/prompt.md'
import coder from './coder/prompt.md'
import interpreter from './interpreter.md'
import learner from './learner.md'
import planner from './planner/prompt.md'
import respecify from './planner/story.md'
import { type Template, templateOf } from './prompt/template.ts'
import reviewer from './reviewer/prompt.md'
import rebuttal from './reviewer/rebuttal.md'
import type { PromptName } from './sees.ts'
import acceptance from './test-writer/acceptance.md'
import tryFinding from './test-writer/finding.md'
import testWriter from './test-writer/prompt.md'
import triager from './triager.md'
import verifier from './verifier.md'

const texts: Record<PromptName, string> = {
  interpreter,
  challenger,
  'challenger-assumptions': assumptions,
  'challenger-examples': tryExamples,
  'challenger-plan': auditPlan,
  planner,
  'planner-story': respecify,
  coder,
  'test-writer': testWriter,
  'test-writer-acceptance': acceptance,
  'test-writer-finding': tryFinding,
  reviewer,
  'reviewer-rebuttal': rebuttal,
  triager,
  verifier,
  learner,
}

/** Our own Markdown of a prompt, which holds where a repository has none. */
export const builtIn = (name: PromptName): Template => templateOf(name, texts[name], null)

/** Where a repository has its own. */
export const overridePath = (name: PromptName): string => `.ropewalk/prompts/${name}.md`
