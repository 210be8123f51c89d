import { gemini } from '../../../../src/adapters/agents/cli/products/gemini.ts'
import { cliRig, installed, key, pretendLines, type Rig } from '../rig.ts'

const stats = { total_tokens: 15, input_tokens: 10, output_tokens: 5, cached: 0, input: 10 }
const overloaded = '[API Error: {"error":{"code":529,"message":"Overloaded","status":"UNKNOWN","details":[]}}]'

export const geminiRig: Rig = {
  name: 'gemini',
  model: 'gemini-2.5-pro',
  wrongModel: 'no-such-model',
  env: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: key }),
  options: () => ({ command: [installed('gemini')] }),
  files: {},
  driver: cliRig(gemini),
  usage: 'told',
  differs: {},
  speech: {
    opening: [
      { type: 'init', session_id: 'cfb35dc3-11fd-4bcd-9b6c-7ed070d9479f', model: 'gemini-2.5-pro' },
      { type: 'message', role: 'assistant', content: 'Half a word', delta: true },
    ],
    good: [{ type: 'result', status: 'success', stats }],
    bad: [{ type: 'result', status: 'error', error: { type: 'unknown', message: overloaded }, stats }],
  },
  pretender: pretendLines,
  tellsReset: null,
  recovers: false,
}
