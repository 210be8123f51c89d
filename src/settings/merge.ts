// Layers on top of each other, still in the file's shape, remembering which layer each key came from.
import type { Roles } from '../delivery/policy.ts'
import type { CheckFile, SettingsFile } from './schema.ts'

interface Layered {
  file: NormalFile
  /** Key path to the name of the layer that set it. */
  origins: Record<string, string>
}

/** A settings file with its shorthands written out. */
export type NormalFile = Omit<SettingsFile, 'checks' | 'setup' | 'roles'> & {
  checks?: Record<string, CheckFile> | undefined
  setup?: { run?: string | undefined; timeoutMs?: number | undefined; reads?: string[] | undefined } | undefined
  roles?: { [role in keyof Roles]?: string[] | undefined } | undefined
}

export function mergeLayers(layers: { name: string; file: SettingsFile }[]): Layered {
  const merged: Tree = {}
  const origins: Record<string, string> = {}
  for (const layer of layers) overlay(merged, normal(layer.file) as Tree, { path: [], name: layer.name, origins })
  return { file: merged as NormalFile, origins }
}

function normal(file: SettingsFile): NormalFile {
  const { checks, setup, roles, ...rest } = file
  return {
    ...rest,
    ...(checks && {
      checks: Object.fromEntries(
        Object.entries(checks).map(([name, check]) => [name, typeof check === 'string' ? { run: check } : check]),
      ),
    }),
    ...(setup !== undefined && { setup: typeof setup === 'string' ? { run: setup } : setup }),
    ...(roles && {
      roles: Object.fromEntries(
        Object.entries(roles).map(([role, names]) => [role, typeof names === 'string' ? [names] : names]),
      ),
    }),
  }
}

type Tree = { [key: string]: unknown }

interface Place {
  path: string[]
  name: string
  origins: Record<string, string>
}

function overlay(under: Tree, over: Tree, place: Place): void {
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) continue
    const path = [...place.path, key]
    if (!isTree(value)) {
      under[key] = value
      place.origins[path.join('.')] = place.name
      continue
    }
    if (!isTree(under[key]) || replaces(path, value)) {
      forget(path, place.origins)
      under[key] = {}
    }
    overlay(under[key] as Tree, value, { ...place, path })
  }
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

/** An agent or check that says what it is starts afresh: half of one and half of another would be neither. */
const replaces = (path: string[], value: Tree): boolean =>
  (path[0] === 'agents' && path.length === 2 && Object.hasOwn(value, 'driver')) ||
  (path[0] === 'checks' && path.length === 2 && Object.hasOwn(value, 'run'))

function forget(path: string[], origins: Record<string, string>): void {
  const prefix = `${path.join('.')}.`
  for (const key of Object.keys(origins)) if (key.startsWith(prefix)) delete origins[key]
}
