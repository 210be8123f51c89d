import { describe, expect, it } from 'vitest'
import { secretPlaces } from './users-places.ts'

describe('secretPlaces', () => {
  it('are found also where the user has moved them to', () => {
    const env = { XDG_CONFIG_HOME: '/moved', CODEX_HOME: '/codex', GEMINI_CLI_HOME: '/g', QWEN_HOME: '' }
    const places = secretPlaces({ home: '/rw', userHome: '/home/me', env })
    for (const path of [
      '/home/me/.config/gcloud',
      '/moved/gcloud',
      '/codex',
      '/g/.gemini',
      '/home/me/.npmrc',
      '/rw/agents',
    ])
      expect(places).toContain(path)
    expect(places).not.toContain('')
  })
})
