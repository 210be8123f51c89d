// An agent that does as it is told, in claude's place: what it prints, when, and how it ends is in its prompt.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CliAgent } from '../../../src/adapters/agents/cli/cli-agent.ts'
import { cliDriver } from '../../../src/adapters/agents/cli/driver.ts'
import { claude } from '../../../src/adapters/agents/cli/products/claude.ts'
import { allowedEnvironment } from '../../../src/adapters/shell/environment.ts'
import { openShell } from '../../../src/adapters/shell/shell.ts'
import type { AgentEvent, AgentTurn } from '../../../src/ports/agent-driver.ts'
import type { Command, Exit } from '../../../src/ports/shell.ts'
import { folderFor } from '../../folders.ts'

export type Deed =
  | { print: unknown }
  | { raw: string }
  | { repeat: string; times: number }
  | { warn: string }
  | { write: string; text: string }
  | { wait: number }
  | { atTerm: unknown }
  | { exit: number }
  | { die: 'SIGKILL' }

const source = `#!/usr/bin/env node
const { writeFileSync } = require('node:fs')
const asked = process.argv.slice(2).join(' ')
if (asked === '--version') { console.log(process.env.PUPIL_VERSION ?? '9.8.7 (Pupil)'); process.exit() }
if (asked === '--help') { console.log(process.env.PUPIL_HELP ?? '${claude.probe.flags.join(' <value>  \\n')}'); process.exit() }
const say = (text) => new Promise((resolve) => process.stdout.write(text, resolve))
async function act(deed) {
  if ('print' in deed) await say(JSON.stringify(deed.print) + '\\n')
  if ('raw' in deed) await say(Buffer.from(deed.raw, 'latin1'))
  if ('repeat' in deed) for (let i = 0; i < deed.times; i++) await say(deed.repeat)
  if ('warn' in deed) process.stderr.write(deed.warn)
  if ('write' in deed) writeFileSync(deed.write, deed.text)
  if ('atTerm' in deed) process.on('SIGTERM', async () => { await say(JSON.stringify(deed.atTerm) + '\\n'); process.exit() })
  if ('wait' in deed) await new Promise((resolve) => setTimeout(resolve, deed.wait))
  if ('exit' in deed) process.exit(deed.exit)
  if ('die' in deed) process.kill(process.pid, deed.die)
}
let prompt = ''
process.stdin.on('data', (part) => { prompt += part })
process.stdin.on('end', async () => { for (const deed of JSON.parse(prompt)) await act(deed) })
`

export const folder = (): string => folderFor('ropewalk-cli-')

export function pupilProgram(): string {
  const program = join(folder(), 'pupil')
  writeFileSync(program, source)
  chmodSync(program, 0o755)
  return program
}

/** A driver with homes of its own and a shell that remembers what it ran. */
export function openPupil(given: { agent?: CliAgent; env?: Record<string, string> } = {}) {
  const [homes, user] = [join(folder(), 'agents'), folder()]
  const shell = openShell({ graceMs: 200 })
  const commands: Command[] = []
  const env = { HOME: user, ANTHROPIC_API_KEY: 'key', ...given.env }
  const run = (command: Command): Promise<Exit> => {
    commands.push(command)
    return shell.run({ ...command, confine: null })
  }
  const environment = (extra: Record<string, string>) =>
    allowedEnvironment({ PATH: process.env.PATH, HOME: user }, { ...extra, ...passed(env) })
  const driver = cliDriver(given.agent ?? claude, { shell: { ...shell, run }, environment, env, homes })
  return { driver, homes, user, commands, options: { command: [pupilProgram()], environment: [] as string[] } }
}

const passed = (env: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('PUPIL_')))

export async function play(pupil: ReturnType<typeof openPupil>, deeds: Deed[], over: Partial<AgentTurn> = {}) {
  const events: AgentEvent[] = []
  const turn = turnOf(pupil.options, { prompt: JSON.stringify(deeds), ...over })
  const onEvent = async (event: AgentEvent) => void events.push(event)
  const result = await pupil.driver.run({ ...turn, onEvent })
  return { result, events, turn }
}

let turns = 0

export function turnOf(options: Record<string, unknown>, over: Partial<AgentTurn> = {}): AgentTurn {
  const place = folder()
  mkdirSync(join(place, 'workspace'))
  return {
    ...{ agent: 'pupil', role: 'coder', options, model: null, prompt: '[]', workspace: join(place, 'workspace') },
    ...{ session: null, openAs: '00000000-0000-4000-8000-000000000000', totals: null, delivery: 'd1', story: null },
    ...{ attempt: 1, round: 1, base: '0'.repeat(40), mark: `cli-driver.${process.pid}.${++turns}.` },
    resultFile: join(place, 'result', 'answer.json'),
    environment: {},
    transcript: join(place, 'transcript'),
    ...{
      timeoutMs: 30_000,
      idleTimeoutMs: 30_000,
      confine: null,
      submit: null,
      modelTurns: null,
      signal: new AbortController().signal,
    },
    onEvent: async () => {},
    onPermission: () => 'deny',
    ...over,
  }
}

export const said = (text: string): Deed => ({
  print: { type: 'assistant', message: { content: [{ type: 'text', text }] }, session_id: 's' },
})

export const good: Deed = {
  print: {
    ...{ type: 'result', subtype: 'success', is_error: false, result: 'done', session_id: 's' },
    usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 20 },
  },
}

export const bad = (status: number): Deed => ({
  print: {
    ...{ type: 'result', subtype: 'success', is_error: true, terminal_reason: 'api_error', session_id: 's' },
    ...{ api_error_status: status, result: `API Error: ${status}` },
  },
})
