import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { builtinDriver } from '../../../src/adapters/agents/cli/builtin.ts'
import { allowedEnvironment } from '../../../src/adapters/shell/environment.ts'
import { openShell } from '../../../src/adapters/shell/shell.ts'
import { openFakeModel } from '../agents/fake-model/server.ts'
import { builtBundle, openChat } from './rig.ts'

const bundle = builtBundle()

function probe(api: object, env: Record<string, string> = { FAKE_KEY: 'any' }) {
  const folder = mkdtempSync(join(tmpdir(), 'ropewalk-probe-'))
  const environment = (extra: Record<string, string>) => allowedEnvironment({ PATH: process.env.PATH }, extra)
  const driver = builtinDriver(bundle, { shell: openShell(), environment, env, homes: join(folder, 'homes') })
  return driver.probe({ api }, folder, 20_000)
}

it('is usable when its service answers, in each wire format', async () => {
  const fake = await openFakeModel()
  onTestFinished(() => fake.close())
  for (const type of ['anthropic', 'openai', 'google', 'compatible']) {
    const found = await probe({ type, url: fake.url, key: 'FAKE_KEY' })
    expect(found).toMatchObject({
      usable: true,
      signedIn: 'FAKE_KEY',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    })
    expect(fake.calls()).toEqual([])
  }
})

it('is usable when its service cannot tell, and says so', async () => {
  const chat = await openChat(() => ({ status: 404, body: 'no such page' }))
  const found = await probe({ type: 'compatible', url: chat.url })
  expect(found).toMatchObject({ usable: true, signedIn: chat.url })
  expect(found.usable && found.notes.join()).toContain('status 404')
})

it('is not usable without a key, with a wrong one, without a service, or with wrong settings', async () => {
  const chat = await openChat(() => ({ status: 401, body: '{}' }))
  const problem = async (api: object) => {
    const found = await probe(api)
    return found.usable ? '' : found.problem
  }
  expect(await problem({ type: 'openai', url: chat.url })).toBe('there is no key in OPENAI_API_KEY')
  expect(await problem({ type: 'openai', url: chat.url, key: 'FAKE_KEY' })).toBe(
    `${chat.url} does not accept the key in FAKE_KEY`,
  )
  expect(await problem({ type: 'compatible', url: 'http://127.0.0.1:2' })).toContain('ECONNREFUSED')
  expect(await problem({ type: 'compatible', url: 'not an address' })).toContain('does not answer')
  expect(await problem({})).toContain('the setting api is wrong')
})
