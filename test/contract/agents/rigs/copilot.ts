import { copilot } from '../../../../src/adapters/agents/cli/products/copilot.ts'
import { cliRig, installed, key, pretendLines, type Rig } from '../rig.ts'

export const copilotRig: Rig = {
  name: 'copilot',
  model: 'fake-model',
  wrongModel: 'no-such-model',
  env: copilotAt,
  options: (url) => ({ command: [installed('copilot')], environment: Object.keys(copilotAt(url)) }),
  files: {},
  driver: cliRig(copilot),
  usage: 'told',
  differs: {},
  speech: {
    opening: [
      { type: 'assistant.turn_start', data: { turnId: '0' } },
      { type: 'assistant.message', data: { messageId: 'm1', content: 'Half a word', toolRequests: [] } },
    ],
    good: [{ type: 'result', sessionId: '25e6d8a9-312a-4a71-9cfa-b124d03e5dd7', exitCode: 0, usage: {} }],
    bad: [
      { type: 'session.error', data: { errorType: 'query', message: '529 Overloaded', statusCode: 529 } },
      { type: 'result', sessionId: '25e6d8a9-312a-4a71-9cfa-b124d03e5dd7', exitCode: 1, usage: {} },
    ],
  },
  pretender: pretendLines,
  tellsReset: null,
  recovers: true,
  unpacks: 'copilot',
}

export function copilotAt(url: string): Record<string, string> {
  return {
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_API_KEY: key,
    COPILOT_OFFLINE: 'true',
    // It would not send the longest prompt to a model that it does not know.
    COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '1000000',
  }
}
