import { resolve } from 'node:path'
import { builtinAgent } from '../../../../src/adapters/agents/cli/builtin.ts'
import { errorOf } from '../../../../src/adapters/agents/failure.ts'
import { cliRig, key, pretendedTokens, pretendLines, type Rig } from '../rig.ts'

const bundle = resolve(import.meta.dirname, '../../../../.cache/agents/builtin/agent-builtin.js')
const told = { text: 'Half a word', usage: pretendedTokens, model: 'fake-model' }
const overloaded = errorOf('overloaded', { status: 529, message: 'Overloaded', resetsAt: null })

/** Our own agent, once for each wire format. */
export function builtinRig(type: 'anthropic' | 'openai' | 'google' | 'compatible'): Rig {
  return {
    name: `builtin ${type}`,
    model: 'fake-model',
    wrongModel: 'no-such-model',
    env: () => ({ FAKE_KEY: key }),
    options: (url) => ({ api: { type, url, key: 'FAKE_KEY' } }),
    files: {},
    driver: cliRig(builtinAgent(bundle)),
    usage: 'told',
    differs: {},
    speech: {
      opening: [
        { type: 'session', session: 'a-session' },
        { type: 'text', text: 'Half a word' },
      ],
      good: [{ type: 'result', ok: true, ...told }],
      bad: [{ type: 'result', ok: false, error: overloaded, ...told }],
    },
    pretender: pretendLines,
    tellsReset: {},
    recovers: false,
  }
}
