import { parseArgs } from 'node:util'
import type { Address, Api } from './model/api.ts'

/** Below the smallest window that a current model of this API has; what is said to be too long is made shorter still. */
const contextChars: Record<Api, number> = {
  anthropic: 480_000,
  openai: 360_000,
  google: 2_000_000,
  compatible: 300_000,
}

const options = {
  home: { type: 'string' },
  session: { type: 'string' },
  resume: { type: 'boolean', default: false },
  model: { type: 'string' },
  api: { type: 'string' },
  url: { type: 'string' },
  'key-variable': { type: 'string' },
  'max-steps': { type: 'string', default: '200' },
  'max-turns': { type: 'string' },
  'max-output-bytes': { type: 'string', default: '30000' },
  'max-context-chars': { type: 'string' },
  submit: { type: 'string' },
  probe: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

export const help = `${Object.keys(options)
  .map((name) => `--${name}`)
  .join('\n')}\n`

export type Arguments = ReturnType<typeof turnArguments>

/** Throws an Error with a message for people when the arguments are wrong. */
export function readArguments(args: string[], env: Record<string, string | undefined>) {
  const values = valuesIn(args)
  if (values.version) return { asked: 'version' as const }
  if (values.help) return { asked: 'help' as const }
  const variable = values['key-variable']
  const key = variable === undefined ? null : (env[variable] ?? '')
  const address: Address = { api: apiIn(needed('api', values.api)), url: values.url ?? null, key }
  if (values.probe) return { asked: 'probe' as const, address }
  return { asked: 'turn' as const, given: turnArguments(values, address) }
}

function turnArguments(values: ReturnType<typeof valuesIn>, address: Address) {
  return {
    address,
    keyVariable: values['key-variable'] ?? null,
    home: needed('home', values.home),
    session: sessionId(needed('session', values.session)),
    /** The session must be there already. */
    resume: values.resume,
    /** Null: none is set. */
    model: values.model || null,
    /** The program that takes answers; null: there is none. */
    submit: values.submit ?? null,
    maxSteps: count('max-steps', values['max-steps']),
    /** How often the model may be asked; null: as often as there are steps. */
    maxTurns: values['max-turns'] === undefined ? null : count('max-turns', values['max-turns']),
    /** Of one tool's output. */
    maxOutputBytes: count('max-output-bytes', values['max-output-bytes']),
    /** Of all that is sent to the model. */
    maxContextChars: count('max-context-chars', values['max-context-chars'] ?? String(contextChars[address.api])),
  }
}

const valuesIn = (args: string[]) => parseArgs({ args, options }).values

function apiIn(name: string): Api {
  if (!Object.keys(contextChars).includes(name)) throw new Error(`--api must not be "${name}"`)
  return name as Api
}

/** It becomes the name of a file. */
function sessionId(id: string): string {
  if (!/^[\w-]{1,100}$/.test(id)) throw new Error('--session must be made of letters, digits and hyphens')
  return id
}

function count(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} must be a number above 0`)
  return Number(text)
}

function needed(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new Error(`--${name} is needed`)
  return value
}
