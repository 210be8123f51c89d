import { acpDriver } from '../../../../src/adapters/agents/acp/driver.ts'
import { allowedEnvironment } from '../../../../src/adapters/shell/environment.ts'
import { openShell } from '../../../../src/adapters/shell/shell.ts'
import { installed, type Rig } from '../rig.ts'
import { copilotRig } from './copilot.ts'
import { geminiRig } from './gemini.ts'
import { configurationFor, opencodeRig } from './opencode.ts'
import { qwenRig } from './qwen.ts'

const update = {
  sessionId: 'a-session',
  update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Half a word' } },
}
const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 }

const spoken: Pick<Rig, 'driver' | 'speech' | 'pretender'> = {
  driver: ({ env }) => acpDriver({ shell: openShell(), environment: (extra) => allowedEnvironment(env, extra), env }),
  speech: {
    opening: [{ jsonrpc: '2.0', method: 'session/update', params: update }],
    good: [{ jsonrpc: '2.0', id: 'PROMPT', result: { stopReason: 'end_turn', usage } }],
    bad: [{ jsonrpc: '2.0', id: 'PROMPT', error: { code: 529, message: 'Overloaded' } }],
  },
  pretender,
}

/** An agent that answers a failed call with an error. */
export const acpGeminiRig: Rig = {
  hasChildren: true,
  loadsLate: true,
  ...geminiRig,
  ...spoken,
  name: 'acp-gemini',
  options: (url) => ({ command: [installed('gemini')], environment: Object.keys(geminiRig.env(url)) }),
  // It does not tell what came from a cache.
  usage: 'rough',
  differs: {
    // The turn ends as if it had been fine, with what the model had said before; only that nothing was used tells.
    stream: ['unknown'],
    // A connection that breaks is an error with the code 500.
    cut: ['overloaded'],
  },
  files: {
    '.gemini/settings.json': '{"security":{"auth":{"selectedType":"gemini-api-key"}},"general":{"maxAttempts":1}}',
  },
}

/** An agent that tells what it has used with each piece of text. */
export const acpQwenRig: Rig = {
  hasChildren: true,
  ...qwenRig,
  ...spoken,
  name: 'acp-qwen',
  options: (url) => ({
    command: [installed('qwen')],
    args: ['--auth-type', 'openai'],
    environment: Object.keys(qwenRig.env(url)),
  }),
  usage: 'rough',
}

/** An agent that tells what its last call has used, and all in its files; it asks only when its own settings say so. */
export const acpOpencodeRig: Rig = {
  hasChildren: true,
  ...opencodeRig,
  ...spoken,
  differs: {
    // It tries again for minutes: until then its log has the words of the refusal, and nothing has the status.
    '429': ['rate-limit'],
    '429-after': ['rate-limit'],
    '529': ['overloaded'],
    // And where an answer had begun, only that it was begun again and again.
    stream: ['overloaded', 'network'],
  },
  name: 'acp-opencode',
  // Over the protocol nobody sees the header with the time, and its log has only the words.
  tellsReset: null,
  env: (url) => {
    const config = { ...configurationFor(url), permission: { edit: 'ask', bash: 'ask' } }
    return { OPENCODE_CONFIG_CONTENT: JSON.stringify(config), OPENCODE_DISABLE_MODELS_FETCH: '1' }
  },
  options: () => ({
    command: [installed('opencode')],
    environment: ['OPENCODE_CONFIG_CONTENT', 'OPENCODE_DISABLE_MODELS_FETCH'],
  }),
  // As it is where it was started before: it does not fetch again what its plugins need.
  files: {
    '.config/opencode/package-lock.json': '{"packages":{"":{"dependencies":{"@opencode-ai/plugin":"*"}}}}',
    '.config/opencode/node_modules/.keep': '',
  },
}

/** An agent that ends a turn that failed as if it had been fine. */
export const acpCopilotRig: Rig = {
  hasChildren: true,
  loadsLate: true,
  ...copilotRig,
  ...spoken,
  name: 'acp-copilot',
  env: copilotEnv,
  differs: {
    // It tries for a minute: until then its log has the status of the refusal, and nothing has its words.
    quota: ['rate-limit', 'quota'],
  },
  options: (url) => ({ command: [installed('copilot')], environment: Object.keys(copilotEnv(url)) }),
}

function copilotEnv(url: string): Record<string, string> {
  return { ...copilotRig.env(url), COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '2000000' }
}

/** Answers what is asked before the prompt, and does its acts when that comes. */
function pretender(acts: string[]): string {
  return `
import { createInterface } from 'node:readline'
const write = process.stdout.write.bind(process.stdout)
const say = (message) => write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line)
  if (method === 'initialize') say({ id, result: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] } })
  else if (method === 'session/new') say({ id, result: { sessionId: 'a-session', models: {} } })
  else if (method.startsWith('session/set_')) say({ id, result: {} })
  else if (method === 'session/prompt') {
    process.stdout.write = (text) => write(typeof text === 'string' ? text.replaceAll('"PROMPT"', id) : text)
    ${acts.join('\n    ')}
    break
  }
}
process.stdin.destroy()
`
}
