import { resolve } from 'node:path'

/** How an agent is configured so that it asks the fake model. */
export interface Rig {
  agent: string
  settings: object
  env: Record<string, string>
}

const program = (name: string): string[] => [resolve('.cache/agents/bin', name)]

export function rigsFor(url: string): Record<'claude' | 'codex' | 'builtin', Rig> {
  const model = { fast: 'fake-model', balanced: 'fake-model', powerful: 'fake-model' }
  const provider = `model_providers.fake={name="fake",base_url="${url}/v1",wire_api="responses",env_key="FAKE_KEY",request_max_retries=0,stream_max_retries=0}`
  return {
    claude: {
      agent: 'claude',
      settings: { driver: 'claude', command: program('claude'), models: { ...model, ...sonnet } },
      env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'fake-key' },
    },
    codex: {
      agent: 'codex',
      settings: {
        driver: 'codex',
        command: program('codex'),
        args: ['-c', 'model_provider="fake"', '-c', provider],
        environment: ['FAKE_KEY'],
        models: { fast: 'gpt-5', balanced: 'gpt-5', powerful: 'gpt-5' },
      },
      env: { FAKE_KEY: 'fake-key' },
    },
    builtin: {
      agent: 'builtin',
      settings: {
        driver: 'builtin',
        api: { type: 'anthropic', url, key: 'FAKE_KEY' },
        models: { ...model, ...sonnet },
      },
      env: { FAKE_KEY: 'fake-key' },
    },
  }
}

const sonnet = { fast: 'claude-sonnet-4-5', balanced: 'claude-sonnet-4-5', powerful: 'claude-sonnet-4-5' }
