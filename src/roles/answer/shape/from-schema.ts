import { isRecord, list, optional, record } from './composed.ts'
import { flag, oneOf, text, whole } from './leaves.ts'
import type { Schema, Shape } from './shape.ts'

/** The shape whose schema this is, so that another process finds the same faults. */
export function shapeFrom(schema: Schema): Shape<unknown> {
  const { type, properties, required, items, enum: words } = schema
  if (type === 'object' && isRecord(properties)) return recordFrom(properties, required)
  if (type === 'array') return list(shapeFrom(items as Schema), { most: Number(schema.maxItems) })
  if (type === 'boolean') return flag()
  if (type === 'integer') return whole({ from: Number(schema.minimum), to: Number(schema.maximum) })
  if (Array.isArray(words)) return oneOf(words.map(String))
  return text({ least: Number(schema.minLength), most: Number(schema.maxLength) })
}

function recordFrom(properties: Record<string, unknown>, required: unknown): Shape<unknown> {
  const needed = Array.isArray(required) ? required : []
  const fields = Object.entries(properties).map(([key, schema]) => {
    const shape = shapeFrom(schema as Schema)
    return [key, needed.includes(key) ? shape : optional(shape, null)] as const
  })
  return record(Object.fromEntries(fields))
}
