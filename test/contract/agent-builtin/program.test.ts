import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { builtBundle, calls, chatStream, key, openChat, openRig, says } from './rig.ts'

const bundle = builtBundle()
const compatible = (url: string) => openRig(bundle, { api: 'compatible', url })

describe('the key', () => {
  it('is in no line and in no command, whoever tells it', async () => {
    const chat = await openChat((_, number) => {
      if (number === 1) return calls('shell', { command: 'env; echo $FAKE_KEY' })
      return number === 2
        ? says(`Your key is ${key}.`)
        : { status: 401, body: `{"error":{"message":"bad key ${key}"}}` }
    })
    const rig = compatible(chat.url)
    const good = await rig.run('Tell the key.')
    expect(good.result).toMatchObject({ ok: true, text: 'Your key is [key].' })
    const bad = await rig.run('Again.', { resume: true })
    expect(bad.result).toMatchObject({ ok: false, error: { kind: 'auth', message: 'bad key [key]' } })
    expect(good.output + bad.output).not.toContain(key)
    expect(chat.asked[1]).toContain('PATH=')
    expect(chat.asked[1]).not.toContain(key)
  })
})

describe('a word that is no secret', () => {
  it('is a key that changes nothing', async () => {
    const chat = await openChat(() => says('Some text.'))
    const rig = compatible(chat.url)
    const { result } = await rig.run('Hello.', { service: { ...rig.service, key: 'SHORT_KEY' } })
    expect(result).toMatchObject({ ok: true, text: 'Some text.' })
  })
})

describe('what is missing', () => {
  const nowhere = () => compatible('http://127.0.0.1:2')
  const service = { type: 'compatible', url: 'http://127.0.0.1:2', key: 'FAKE_KEY' }

  it.each([
    ['a key', { service: { ...service, key: 'NO_SUCH_KEY' } }, 'auth', 'there is no key in NO_SUCH_KEY'],
    ['a model', { model: '' }, 'model', 'no model is set'],
    ['a session', { resume: true }, 'session', 'there is no session s1'],
    ['a service', {}, 'network', 'ECONNREFUSED'],
  ])('%s: is said in the result', async (_, more, kind, words) => {
    const { code, result } = await nowhere().run('Hello.', more)
    expect([code, result?.ok, result?.error?.kind]).toEqual([1, false, kind])
    expect(result?.error?.message).toContain(words)
  })

  it('a prompt: is said in the result', async () => {
    expect((await nowhere().run(' \n')).result).toMatchObject({ ok: false, error: { kind: 'bad-request' } })
  })

  it('arguments that make sense: nothing is begun', async () => {
    const wrong = { session: '../up', maxSteps: 0, unknown: true, service: { ...service, type: 'other' } }
    for (const [name, value] of Object.entries(wrong)) {
      const { code, lines, output } = await nowhere().run('Hello.', { [name]: value })
      expect([code, lines]).toEqual([2, []])
      expect(output).toContain(name)
    }
  })
})

describe('a turn', () => {
  it('may write the file for its result', async () => {
    let rig: ReturnType<typeof openRig> | null = null
    const chat = await openChat((_, number) =>
      number === 1 ? calls('write_file', { path: rig!.resultFile, content: '{"done":true}' }) : says('Done.'),
    )
    rig = compatible(chat.url)
    expect((await rig.run('Answer.')).result).toMatchObject({ ok: true, text: 'Done.' })
    expect(readFileSync(rig.resultFile, 'utf8')).toBe('{"done":true}')
  })

  it('ends after so many steps', async () => {
    const chat = await openChat((_, number) => calls('shell', { command: 'true' }, `c${number}`))
    const { result, code } = await compatible(chat.url).run('Go on for ever.', { maxSteps: 3 })
    expect(result).toMatchObject({ ok: false, error: { kind: 'stuck', message: 'not finished after 3 steps' } })
    expect([code, chat.asked.length]).toEqual([1, 3])
  })

  it('asks its model as often as it may', async () => {
    const chat = await openChat((_, number) => calls('shell', { command: 'true' }, `c${number}`))
    const { result, lines } = await compatible(chat.url).run('Go on for ever.', { maxTurns: 2 })
    expect(result).toMatchObject({ ok: false, error: { kind: 'turns', message: 'the model was asked 2 times' } })
    expect(lines.filter(({ type }) => type === 'model-asked')).toHaveLength(2)
    expect(chat.asked).toHaveLength(2)
  })

  it('goes on after an answer that was too long, but not for ever', async () => {
    const once = await openChat((_, number) => (number === 1 ? says('Half of', 'length') : says('it.')))
    expect((await compatible(once.url).run('Write a lot.')).result).toMatchObject({ ok: true, text: 'it.' })
    const always = await openChat(() => says('Half of', 'length'))
    const { result } = await compatible(always.url).run('Write a lot.')
    expect(result).toMatchObject({ ok: false, error: { kind: 'bad-request' } })
    expect(always.asked.length).toBe(4)
  })

  it('is not finished by a stream that ends too soon, however politely', async () => {
    const chat = await openChat(() => chatStream({ delta: { content: 'Half a' } }))
    expect((await compatible(chat.url).run('Speak.')).result).toMatchObject({ ok: false, error: { kind: 'network' } })
  })

  it('that failed before it was answered does not repeat its prompt', async () => {
    const chat = await openChat((_, number) => (number === 1 ? { status: 503, body: '{}' } : says('Here.')))
    const rig = compatible(chat.url)
    expect((await rig.run('Only once.')).result).toMatchObject({ ok: false, error: { kind: 'overloaded' } })
    expect((await rig.run('Only once.', { resume: true })).result).toMatchObject({ ok: true })
    expect(chat.asked[1]!.split('Only once.').length - 1).toBe(1)
  })

  it('gives a model that was sent too much less, and keeps to it', async () => {
    const tooLong = { status: 400, body: '{"error":{"code":"context_length_exceeded","message":"too much"}}' }
    const chat = await openChat((body, number) => {
      if (number <= 3) return calls('read_file', { path: 'long.txt' }, `c${number}`)
      return body.length > 45_000 ? tooLong : says('Read.')
    })
    const rig = compatible(chat.url)
    writeFileSync(join(rig.workspace, 'long.txt'), 'x'.repeat(20_000))
    const { result, lines } = await rig.run('Read it three times.')
    expect(result).toMatchObject({ ok: true, text: 'Read.' })
    expect(lines.filter(({ type }) => type === 'retry')).toEqual([
      { type: 'retry', attempt: 1, status: 400, delayMs: 0 },
    ])
    expect((await rig.run('And again.', { resume: true })).result).toMatchObject({ ok: true })
    expect(chat.asked.length).toBe(6)
    expect(rig.sessionLines().filter((line) => line.includes('"shortened"')).length).toBe(1)
  })

  it('makes no more of an input that cannot be shortened', async () => {
    const chat = await openChat(() => ({ status: 400, body: '{"error":{"message":"prompt is too long"}}' }))
    expect((await compatible(chat.url).run('x')).result).toMatchObject({ ok: false, error: { kind: 'bad-request' } })
    expect(chat.asked.length).toBe(1)
  })

  it('survives a call that makes no sense', async () => {
    const broken = {
      function: { name: 'write_file', arguments: '{"path": "a.txt", "cont' },
      index: 0,
      id: 'c1',
      type: 'function',
    }
    const chat = await openChat((_, number) =>
      number === 1
        ? chatStream({ delta: { tool_calls: [broken] } }, { delta: {}, finish_reason: 'tool_calls' })
        : says('Sorry.'),
    )
    const rig = compatible(chat.url)
    const { result, lines } = await rig.run('Write.')
    expect(result).toMatchObject({ ok: true, text: 'Sorry.' })
    expect(lines.find(({ type }) => type === 'tool-ended')).toMatchObject({ ok: false })
    expect(existsSync(join(rig.workspace, 'a.txt'))).toBe(false)
  })
})
