import * as z from 'zod'
import { settingsFile } from './schema.ts'

/** For editors: completion and errors while typing. */
export function jsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(settingsFile, { io: 'input', target: 'draft-7' })
  return { $schema, title: 'ropewalk.yaml', description: 'Settings of Ropewalk for this repository.', ...schema }
}

/** Every key that can be set, with `*` for names: `agents.*.driver`. */
export function settingKeys(): string[] {
  return keysBelow(jsonSchema() as Schema, '')
}

interface Schema {
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
}

function keysBelow(schema: Schema, prefix: string): string[] {
  const inner = (schema.anyOf ?? []).flatMap((one) => keysBelow(one, prefix).filter((key) => key !== prefix))
  const named = Object.entries(schema.properties ?? {}).flatMap(([key, one]) => keysBelow(one, joined(prefix, key)))
  const open = schema.additionalProperties
  const any = typeof open === 'object' ? keysBelow(open, joined(prefix, '*')).filter((key) => !key.endsWith('*')) : []
  const below = [...inner, ...named, ...any]
  return below.length === 0 && prefix !== '' ? [prefix] : below
}

const joined = (prefix: string, key: string): string => (prefix === '' ? key : `${prefix}.${key}`)
