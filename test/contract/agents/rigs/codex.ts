import { codex } from '../../../../src/adapters/agents/cli/products/codex.ts'
import { cliRig, installed, key, pretendLines, type Rig } from '../rig.ts'

/** A model whose only tool runs JavaScript; others have a shell. */
export const codexRig: Rig = {
  name: 'codex',
  model: 'gpt-6.1-sol',
  wrongModel: 'no-such-model',
  env: () => ({ FAKE_KEY: key }),
  options: (url) => ({ command: [installed('codex')], environment: ['FAKE_KEY'], args: providerAt(url) }),
  files: {},
  driver: cliRig(codex),
  usage: 'told',
  differs: {},
  speech: {
    opening: [
      { type: 'thread.started', thread_id: '01a1e0b4-c831-74f3-b695-74bd873e30ae' },
      { type: 'turn.started' },
      { type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text: 'Half a word' } },
    ],
    good: [{ type: 'turn.completed', usage: { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5 } }],
    bad: [{ type: 'turn.failed', error: { message: 'exceeded retry limit, last status: 529 <unknown status code>' } }],
  },
  pretender: pretendLines,
  tellsReset: null,
  recovers: true,
}

function providerAt(url: string): string[] {
  const fields = `name="fake",base_url="${url}/v1",wire_api="responses",env_key="FAKE_KEY"`
  return ['-c', 'model_provider="fake"', '-c', `model_providers.fake={${fields}}`]
}
