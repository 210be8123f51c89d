import { errorOf } from '../../../proof/agents/failure.ts'
import { asList, asObject, asText, at, type Json, objectsIn } from '../told/json.ts'
import { ask, type Line, Refused } from './session.ts'

interface Opened {
  id: string
  offers: Json
}

/** Modes in which an agent never asks, by the names that they have. */
const freeModes = ['bypassPermissions', 'agent-full-access', 'yolo']

/** The mode that fits what may be done. Where it cannot be had, the agent asks, and is answered. */
export async function chooseMode(line: Line, { id, offers }: Opened, isFree: boolean): Promise<void> {
  const wanted = isFree ? [line.known.modes.free, ...freeModes] : [line.known.modes.asks]
  const offered = asList(at(offers, 'modes', 'availableModes')).map((mode) => at(mode, 'id'))
  const modeId = wanted.find((mode) => mode !== null && offered.includes(mode))
  if (modeId !== undefined && modeId !== at(offers, 'modes', 'currentModeId'))
    await willing(ask(line.agent, 'session/set_mode', { sessionId: id, modeId }))
  const all = optionsIn(offers).find((option) => option.id === 'allow_all')
  if (all !== undefined) await willing(choose(line, id, { option: all, value: isFree ? 'on' : 'off' }))
}

/** Asks for a model. That it cannot be had is no detail: another one would do the work. */
export async function chooseModel(line: Line, { id, offers }: Opened, model: string): Promise<void> {
  const option = optionsIn(offers).find((one) => one.category === 'model' || one.id === 'model')
  if (option !== undefined) {
    const values = valuesOf(option)
    if (values.length > 0 && !values.includes(model)) throw noModel(model, values)
    await choose(line, id, { option, value: model })
  } else if (asObject(offers.models) !== null) {
    const models = asList(at(offers, 'models', 'availableModels')).flatMap((one) => asText(at(one, 'modelId')) ?? [])
    if (models.length > 0 && !models.includes(model)) throw noModel(model, models)
    await ask(line.agent, 'session/set_model', { sessionId: id, modelId: model })
  } else throw noModel(model, [])
}

/** The model that a session has when nothing is chosen. */
export function currentModel(offers: Json): string | null {
  const option = optionsIn(offers).find((one) => one.category === 'model' || one.id === 'model')
  return asText(option?.currentValue) ?? asText(at(offers, 'models', 'currentModelId'))
}

const optionsIn = (offers: Json): Json[] => objectsIn(offers.configOptions)

/** They may be in groups. */
const valuesOf = (option: Json): string[] =>
  asList(option.options).flatMap((one) =>
    [one, ...asList(at(one, 'options'))].flatMap((value) => asText(at(value, 'value')) ?? []),
  )

function choose(line: Line, sessionId: string, { option, value }: { option: Json; value: string }): Promise<Json> {
  const chosen = option.type === 'boolean' ? { type: 'boolean', value: value === 'on' } : { value }
  return ask(line.agent, 'session/set_config_option', { sessionId, configId: option.id, ...chosen })
}

async function willing(asked: Promise<Json>): Promise<void> {
  await asked.catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error
  })
}

function noModel(model: string, offered: string[]): Refused {
  const what = offered.length === 0 ? 'no choice of models' : offered.slice(0, 20).join(', ')
  const message = `the agent does not offer the model ${model}; it offers ${what}`
  return new Refused(errorOf('model', { status: null, message, resetsAt: null }))
}
