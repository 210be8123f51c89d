import { describe, expect, it } from 'vitest'
import { secretPlaces } from './users-home.ts'

describe('secretPlaces', () => {
  it('are found also where the user has moved them to', () => {
    const env = { XDG_CONFIG_HOME: '/moved' }
    const agents = { keeps: ['.config/opencode'], moved: ['/codex'] }
    const places = secretPlaces({ home: '/rw', userHome: '/home/me', env, agents })
    for (const path of [
      '/home/me/.config/gcloud',
      '/moved/gcloud',
      '/codex',
      '/moved/opencode',
      '/home/me/.npmrc',
      '/rw/agents',
    ])
      expect(places).toContain(path)
  })
})
