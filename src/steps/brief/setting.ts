import type { Setting } from '../../roles/prompt/prompt.ts'
import { type Template, templateOf } from '../../roles/prompt/template.ts'
import type { PromptName } from '../../roles/sees.ts'
import { builtIn, overridePath } from '../../roles/templates.ts'
import { requestOf } from '../place/request.ts'
import type { About, Around } from './around.ts'
import { sharedSections } from './shared.ts'

/** What a prompt of this delivery is put together with: its Markdown, and what this role may know. */
export async function settingFor(around: Around, name: PromptName, about: Partial<About> = {}): Promise<Setting> {
  const { world, state } = around
  const { story = null, paths = [], words = {} } = about
  const beside = (file: string): string => world.places.result(state.id, file)
  const [template, shared] = await Promise.all([
    templateFor(around, name),
    sharedSections(around, name, { story, paths }),
  ])
  return { template, beside, words, shared }
}

/** As it was when the delivery began: what an agent makes of it since then holds for later deliveries, not for its own. */
async function templateFor({ state, repository }: Around, name: PromptName): Promise<Template> {
  const path = overridePath(name)
  const own = await repository.readFile(requestOf(state).base, path)
  return own === null ? builtIn(name) : templateOf(name, own, path)
}
