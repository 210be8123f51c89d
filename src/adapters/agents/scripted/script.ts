// The shape of a script: entries, each with what it matches and what it does.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseDocument } from 'yaml'
import * as z from 'zod'
import type { AgentTurn } from '../../../ports/agent-driver.ts'

const count = z.number().int().nonnegative()
const relativePath = z
  .string()
  .min(1)
  .refine((path) => !path.startsWith('/') && !path.split('/').includes('..'), 'must be a path inside the workspace')

const action = z
  .strictObject({
    write: z.record(relativePath, z.string()),
    replace: z.strictObject({ path: relativePath, find: z.string().min(1), with: z.string() }),
    patch: z.string().min(1),
    delete: z.union([relativePath.transform((path) => [path]), z.array(relativePath)]),
    shell: z.string().min(1),
    say: z.string(),
    sleep: count,
    usage: z.strictObject({
      inputTokens: count.default(0),
      outputTokens: count.default(0),
      cachedTokens: count.default(0),
      usd: z.number().nonnegative().default(0),
    }),
    result: z.json(),
    ask: z.strictObject({ text: z.string().min(1), options: z.array(z.string()).default([]) }),
    limit: z.strictObject({
      resetsInMs: count.optional(),
      resetsAt: z.iso.datetime({ offset: true }).optional(),
      kind: z.enum(['rate-limit', 'quota', 'overloaded']).default('rate-limit'),
    }),
    exit: z.number().int().min(0).max(255),
    crash: z.union([z.literal(true).transform(() => 'SIGKILL'), z.string().regex(/^SIG[A-Z0-9]+$/)]),
    hang: z.literal(true),
  })
  .partial()
  .refine((given) => Object.keys(given).length === 1, 'must be exactly one action, as in `- say: hello`')

const entry = z.strictObject({
  role: z.string().optional(),
  story: z.string().optional(),
  attempt: count.optional(),
  round: count.optional(),
  prompt: z.string().min(1).optional(),
  resumed: z.boolean().optional(),
  do: z.array(action),
})

const options = z.union([z.object({ script: z.string().min(1) }), z.object({ steps: z.unknown() })])

export type Action = z.infer<typeof action>
export type ScriptEntry = z.infer<typeof entry>
export type Script = { name: string; entries: ScriptEntry[] } | { problem: string }

/** The script an agent's settings name (a path, relative to `cwd`) or hold themselves. */
export function loadScript(given: Record<string, unknown>, cwd: string): Script {
  const parsed = options.safeParse(given)
  if (!parsed.success) return { problem: 'the scripted agent needs `script: <file>` or `steps: [...]`' }
  if (!('script' in parsed.data)) return check('steps', parsed.data.steps)
  const file = resolve(cwd, parsed.data.script)
  try {
    const document = parseDocument(readFileSync(file, 'utf8'))
    const [error] = document.errors
    return error === undefined ? check(file, document.toJS()) : { problem: `${file}: ${error.message}` }
  } catch (error) {
    return { problem: `cannot read the script ${file}: ${(error as Error).message}` }
  }
}

function check(name: string, value: unknown): Script {
  const parsed = z.array(entry).safeParse(value)
  if (parsed.success) return { name, entries: parsed.data }
  const [issue] = parsed.error.issues
  const message = issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message
  const [index, ...keys] = issue?.path ?? []
  const place = keys.map((key) => (typeof key === 'number' ? ` ${key + 1}` : `, ${String(key)}`)).join('')
  return { problem: `${name}: ${typeof index === 'number' ? `entry ${index + 1}` : 'top'}${place}: ${message}` }
}

/** Of the entries whose every key fits the turn, the one with the most keys; of several, the first. */
export function bestEntry(entries: ScriptEntry[], turn: AgentTurn): ScriptEntry | null {
  const fitting = entries.filter((entry) => fits(entry, turn))
  return fitting.toSorted((one, other) => precision(other) - precision(one))[0] ?? null
}

function fits({ do: _, prompt, resumed, ...keys }: ScriptEntry, turn: AgentTurn): boolean {
  const isSame = Object.entries(keys).every(([key, value]) => value === turn[key as keyof typeof keys])
  return isSame && (resumed ?? turn.session !== null) === (turn.session !== null) && turn.prompt.includes(prompt ?? '')
}

const precision = ({ do: _, ...keys }: ScriptEntry): number =>
  Object.values(keys).filter((key) => key !== undefined).length
