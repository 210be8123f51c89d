import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Dialect, dialects } from './dialect.ts'
import { type FakeModel, openFakeModel } from './server.ts'

describe.each(dialects)('the fake model in $format', (dialect) => {
  let fake: FakeModel
  beforeAll(async () => {
    fake = await openFakeModel()
  })
  afterAll(async () => await fake.close())
  const ask = (prompt: string, given: Partial<Question> = {}) => post(fake, dialect, { ...asked, prompt, ...given })

  it('plays a scenario by what the conversation holds, and counts what it tells', async () => {
    const before = fake.calls().length
    const told: ReturnType<Dialect['read']>[] = []
    for (const answered of [0, 1, 2, 2]) {
      const response = await ask('SCENARIO:edit WORKSPACE:/w', { answered })
      told.push(dialect.read(await response.json()))
    }
    expect(told.map(({ tool }) => tool)).toEqual(['write_file', 'bash', null, null])
    expect(told[2]!.text).toContain('All done')
    const [inputTokens, cachedTokens, outputTokens] = (['input', 'cached', 'output'] as const).map((key) =>
      told.reduce((sum, one) => sum + one[key], 0),
    )
    expect(fake.usage(before)).toEqual({ inputTokens, cachedTokens, outputTokens })
    expect(new Set(told.map(({ input }) => input)).size).toBe(4)
  })

  it('streams the same answer', async () => {
    const response = await ask('SCENARIO:edit WORKSPACE:/w', { isStreamed: true })
    const text = await response.text()
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(text).toContain('I write the file.')
    expect(text).toContain('/w/hello.txt')
    expect(text).toContain(String(fake.calls().at(-1)!.usage.outputTokens))
  })

  it('refuses with a status as often as it is told to, with the headers', async () => {
    const prompt = 'SCENARIO:hello FAIL:429,times=2,after=7,reset=1900000000'
    const first = await ask(prompt)
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '7'])
    expect(first.headers.get('anthropic-ratelimit-unified-reset')).toBe('1900000000')
    expect(dialect.error(await first.json())).toContain('too many requests')
    expect((await ask(prompt)).status).toBe(429)
    expect(dialect.read(await (await ask(prompt)).json()).text).toBe('Hello.')
  })

  it.each([400, 401, 402, 404, 500, 503, 529])('refuses with %i for ever', async (status) => {
    for (const _ of [1, 2, 3]) expect((await ask(`SCENARIO:hello FAIL:${status}`)).status).toBe(status)
  })

  it('knows no wrong key, no strange model, and a quota', async () => {
    expect((await ask('SCENARIO:hello', { key: 'wrong-key' })).status).toBe(401)
    expect((await ask('SCENARIO:hello', { model: 'no-such-model' })).status).toBe(404)
    const quota = await ask('SCENARIO:hello FAIL:quota')
    expect(quota.status).toBe(429)
    expect(await quota.text()).toMatch(/insufficient_quota|PerDay/)
  })

  it('fails inside a stream, and cuts it', async () => {
    const failed = await ask('SCENARIO:hello FAIL:stream', { isStreamed: true })
    expect(failed.status).toBe(200)
    expect(await failed.text()).toContain('Overloaded')
    expect(fake.calls().at(-1)!.outcome).toBe('error-in-stream')
    const cut = await ask('SCENARIO:hello FAIL:cut', { isStreamed: true })
    await expect(cut.text()).rejects.toThrow()
    expect(fake.calls().at(-1)!.outcome).toBe('cut')
  })

  it('never answers, or falls silent in the stream', async () => {
    const patience = () => AbortSignal.timeout(300)
    await expect(ask('SCENARIO:hello FAIL:hang', { signal: patience() })).rejects.toThrow('timeout')
    const stalled = await ask('SCENARIO:hello FAIL:stall', { isStreamed: true, signal: patience() })
    await expect(stalled.text()).rejects.toThrow('timeout')
    expect(
      fake
        .calls()
        .slice(-2)
        .map(({ outcome }) => outcome),
    ).toEqual(['silent', 'silent'])
  })

  it('goes on for ever in a loop', async () => {
    const answers = [0, 5, 50].map(async (answered) => await (await ask('SCENARIO:loop', { answered })).json())
    expect((await Promise.all(answers)).map((answer) => dialect.read(answer).tool)).toEqual(['bash', 'bash', 'bash'])
  })

  it('takes a prompt of a megabyte', async () => {
    const prompt = `SCENARIO:hello ${'x'.repeat(1_000_000)}`
    expect((await ask(prompt)).status).toBe(200)
    expect(fake.calls().at(-1)!.prompt).toBe(prompt)
  })

  it('plays scripts of a test, the last one first', async () => {
    fake.script({ on: 'do it', scenario: { steps: [{ say: 'One.' }] } })
    fake.script({ on: /do it \d/, scenario: { steps: [{ say: 'Two.' }] } })
    expect(dialect.read(await (await ask('please do it 7')).json()).text).toBe('Two.')
    expect(dialect.read(await (await ask('please do it')).json()).text).toBe('One.')
  })

  it('gives a short text to a call that belongs to no scenario', async () => {
    expect(dialect.read(await (await ask('Give this a title')).json())).toMatchObject({
      tool: null,
      text: 'A short title',
    })
    expect(fake.calls().at(-1)!).toMatchObject({ isHidden: true, step: null })
  })
})

describe('the fake model', () => {
  it('speaks to an agent whose tools come in the input, and are called from JavaScript', async () => {
    const fake = await openFakeModel()
    const exec = { type: 'custom', name: 'exec', description: 'Run JavaScript code' }
    const response = await fetch(`${fake.url}/v1/responses`, {
      method: 'POST',
      body: JSON.stringify({
        model: 'm',
        input: [
          { type: 'additional_tools', tools: [{ type: 'namespace', name: 'functions', tools: [exec] }] },
          { role: 'user', content: 'SCENARIO:edit' },
        ],
      }),
    })
    const { output } = (await response.json()) as { output: { type: string; name: string; input: string }[] }
    expect(output.at(-1)).toMatchObject({ type: 'custom_tool_call', name: 'exec' })
    expect(output.at(-1)!.input).toContain('tools.apply_patch("*** Begin Patch\\n*** Add File: hello.txt')
    await fake.close()
  })

  it('lists models, counts tokens, and knows no other path', async () => {
    const fake = await openFakeModel()
    expect(await (await fetch(`${fake.url}/v1/models`)).json()).toMatchObject({ object: 'list' })
    const counted = await fetch(`${fake.url}/v1/messages/count_tokens`, { method: 'POST', body: '{}' })
    expect(await counted.json()).toMatchObject({ input_tokens: 1000 })
    expect((await fetch(`${fake.url}/elsewhere`, { method: 'POST', body: '{}' })).status).toBe(404)
    expect(fake.calls()).toEqual([])
    await fake.close()
  })
})

interface Question {
  prompt: string
  model: string
  key: string
  isStreamed: boolean
  answered: number
  signal: AbortSignal | null
}

const asked: Question = { prompt: '', model: 'fake-model', key: 'key', isStreamed: false, answered: 0, signal: null }

function post(fake: FakeModel, dialect: Dialect, { key, signal, ...question }: Question): Promise<Response> {
  return fetch(fake.url + dialect.path(question.model, question.isStreamed), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(dialect.body(question)),
    signal,
  })
}
