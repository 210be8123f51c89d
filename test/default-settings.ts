import { type Layer, loadSettings } from '../src/settings/load.ts'
import type { Settings } from '../src/settings/settings.ts'

export { agentDefaults, checkDefaults } from '../src/settings/schema.ts'

function settingsOf(value: object): Settings {
  const layers: Layer[] = [{ name: 'sample', place: 'a test', content: { value } }]
  const loaded = loadSettings(layers)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return loaded.settings
}

const nobody = { coder: [], planner: [], testWriter: [], verifier: [], triager: [] }

/** What holds where no layer says otherwise, with nobody to work yet. */
export const defaults: Settings = {
  ...settingsOf({}),
  roles: { ...nobody, interpreter: null, challenger: null },
}

const { setup, workspace } = settingsOf({ setup: 'x', workspace: { services: { x: { up: 'x' } } } })

export const setupDefaults = without(setup!, ['run'])
export const serviceDefaults = without(workspace.services[0]!, ['name', 'up'])

function without(values: object, keys: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !keys.includes(key)))
}
