import { describe, expect, it } from 'vitest'
import { agentDefaults, checkDefaults, defaults, serviceDefaults, setupDefaults } from '../../test/default-settings.ts'
import { jsonSchema, settingKeys } from './json-schema.ts'

describe('jsonSchema', () => {
  it('is the file that editors use (after a change: npx vitest run src/settings -u)', async () => {
    const text = `${JSON.stringify(jsonSchema(), null, 2)}\n`
    await expect(text).toMatchFileSnapshot('../../schema/ropewalk.schema.json')
  })
})

describe('settingKeys', () => {
  it('lists every key', () => {
    expect(settingKeys()).toEqual(
      expect.arrayContaining(['target', 'agents.*.driver', 'agents.*.models.fast', 'checks.*.run', 'limits.landings']),
    )
    expect(settingKeys()).toHaveLength(new Set(settingKeys()).size)
  })

  it('has a default or is required, for each', () => {
    const known = [
      ...Object.keys(defaults).filter((key) => !['limits', 'ceilings', 'routing', 'agents', 'checks'].includes(key)),
      ...(
        ['limits', 'ceilings', 'routing', 'roles', 'workspace', 'keep', 'intent', 'review', 'tests'] as const
      ).flatMap((group) => Object.keys(defaults[group]).map((key) => `${group}.${key}`)),
      ...Object.keys(agentDefaults).map((key) => `agents.*.${key}`),
      // The schema itself gives these.
      ...['url', 'key'].map((key) => `agents.*.api.${key}`),
      ...Object.keys(checkDefaults).map((key) => `checks.*.${key}`),
      ...Object.keys(serviceDefaults).map((key) => `workspace.services.*.${key}`),
      ...Object.keys(setupDefaults).map((key) => `setup.${key}`),
    ]
    const required = ['agents.*.driver', 'agents.*.api.type', 'checks.*.run', 'setup.run', 'workspace.services.*.up']
    const optional = settingKeys().filter((key) => !required.includes(key) && !key.startsWith('agents.*.models.'))
    expect(optional.filter((key) => !known.includes(key))).toEqual([])
  })
})
