import { qwen } from '../../../../src/adapters/agents/cli/products/qwen.ts'
import { cliRig, installed, key, pretendLines, type Rig } from '../rig.ts'

const session_id = '170b93f7-b990-4e7a-b171-bb765340b4a7'
const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 0, total_tokens: 15 }

export const qwenRig: Rig = {
  name: 'qwen',
  // Its window is large enough for a prompt of a megabyte.
  model: 'qwen3-coder-plus',
  wrongModel: 'no-such-model',
  env: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key }),
  options: () => ({ command: [installed('qwen')] }),
  files: {},
  driver: cliRig(qwen),
  usage: 'told',
  // It tries again for minutes, and says nothing of why; what it met is in none of its events or files.
  differs: { stream: ['overloaded', 'timeout'], cut: ['network', 'timeout'] },
  speech: {
    opening: [
      { type: 'system', subtype: 'init', session_id, model: 'fake-model' },
      { type: 'assistant', session_id, message: { id: 'm1', content: [{ type: 'text', text: 'Half a word' }], usage } },
    ],
    good: [{ type: 'result', subtype: 'success', session_id, is_error: false, result: 'Done.', usage }],
    bad: [
      {
        type: 'result',
        subtype: 'error_during_execution',
        session_id,
        is_error: true,
        usage,
        error: { message: '[API Error: 529 Overloaded]' },
      },
    ],
  },
  pretender: pretendLines,
  tellsReset: null,
  recovers: true,
}
