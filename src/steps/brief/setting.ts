import type { DeliveryState } from '../../delivery/state.ts'
import type { Repository } from '../../ports/repository.ts'
import type { Setting } from '../../roles/prompt/prompt.ts'
import { type Template, templateOf } from '../../roles/prompt/template.ts'
import type { PromptName } from '../../roles/sees.ts'
import { builtIn, overridePath } from '../../roles/templates.ts'
import { requestOf } from '../place/request.ts'
import type { StepWorld } from '../world.ts'

export interface Around {
  world: Pick<StepWorld, 'places'>
  state: DeliveryState
  repository: Pick<Repository, 'readFile'>
}

/** What a prompt of this delivery is put together with. */
export async function settingFor(
  { world, state, repository }: Around,
  name: PromptName,
  words: Record<string, string> = {},
): Promise<Setting> {
  const beside = (file: string): string => world.places.result(state.id, file)
  return { template: await templateFor({ state, repository }, name), beside, words }
}

/** As it was when the delivery began: what an agent makes of it since then holds for later deliveries, not for its own. */
async function templateFor({ state, repository }: Omit<Around, 'world'>, name: PromptName): Promise<Template> {
  const path = overridePath(name)
  const own = await repository.readFile(requestOf(state).base, path)
  return own === null ? builtIn(name) : templateOf(name, own, path)
}
