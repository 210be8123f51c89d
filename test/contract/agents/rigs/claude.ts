import { claude } from '../../../../src/adapters/agents/cli/products/claude.ts'
import { cliRig, installed, key, pretendLines, type Rig } from '../rig.ts'

const session_id = '7c0fafa5-6b92-487e-9e7e-aa1903ec0d21'
const usage = { input_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 5 }

export const claudeRig: Rig = {
  name: 'claude',
  model: 'claude-sonnet-4-5',
  wrongModel: 'no-such-model',
  env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key }),
  options: () => ({ command: [installed('claude')] }),
  files: {},
  driver: cliRig(claude),
  usage: 'told',
  differs: {},
  speech: {
    opening: [
      { type: 'system', subtype: 'init', session_id, model: 'claude-sonnet-4-5' },
      {
        type: 'assistant',
        session_id,
        message: { id: 'msg_1', content: [{ type: 'text', text: 'Half a word' }], usage },
      },
    ],
    good: [{ type: 'result', subtype: 'success', is_error: false, session_id, result: 'Done.', usage }],
    addsUp: true,
    bad: [
      {
        type: 'result',
        subtype: 'success',
        is_error: true,
        session_id,
        api_error_status: 529,
        terminal_reason: 'api_error',
        result: 'API Error: 529 Overloaded',
        usage,
      },
    ],
  },
  pretender: pretendLines,
  tellsReset: { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: key },
  recovers: true,
}
