import { opencode } from '../../../../src/adapters/agents/cli/products/opencode.ts'
import { cliRig, installed, key, pretendLines, type Rig } from '../rig.ts'

const sessionID = 'ses_e1e2f8189ffe396M0V2k4IXLKu'
const tokens = { total: 15, input: 10, output: 5, reasoning: 0, cache: { read: 0, write: 0 } }

export const opencodeRig: Rig = {
  name: 'opencode',
  model: 'fake/fake-model',
  wrongModel: 'fake/no-such-model',
  env: (url) => ({ OPENCODE_CONFIG_CONTENT: JSON.stringify(configurationFor(url)) }),
  options: () => ({ command: [installed('opencode')], environment: ['OPENCODE_CONFIG_CONTENT'] }),
  files: {},
  driver: cliRig(opencode),
  usage: 'told',
  differs: {},
  speech: {
    opening: [
      { type: 'step_start', sessionID, part: { id: 'prt_1', sessionID, type: 'step-start' } },
      { type: 'text', sessionID, part: { id: 'prt_2', sessionID, type: 'text', text: 'Half a word' } },
    ],
    good: [
      { type: 'step_finish', sessionID, part: { id: 'prt_3', type: 'step-finish', reason: 'stop', tokens, cost: 0 } },
    ],
    bad: [
      {
        type: 'error',
        sessionID,
        error: { name: 'APIError', data: { message: 'Overloaded', statusCode: 529, isRetryable: true } },
      },
    ],
  },
  pretender: pretendLines,
  tellsReset: {},
  recovers: true,
}

export function configurationFor(url: string) {
  const models = { 'fake-model': { name: 'fake' }, 'no-such-model': { name: 'none' } }
  const options = { baseURL: `${url}/v1`, apiKey: key }
  return { provider: { fake: { npm: '@ai-sdk/openai-compatible', name: 'fake', options, models } } }
}
