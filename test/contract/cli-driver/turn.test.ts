// What a turn of a command-line agent is started with, tells, and leaves behind.
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claude } from '../../../src/adapters/agents/cli/products/claude.ts'
import { folder, good, openPupil, play, said, turnOf } from './pupil.ts'

describe('a turn', () => {
  it('says first what is started and under which session, then what happens', async () => {
    const pupil = openPupil()
    const { events, turn, result } = await play(pupil, [said('hello'), good])
    expect(events.map(({ type }) => type)).toEqual(['started', 'session', 'session', 'text'])
    expect(events[0]).toMatchObject({ version: '9.8.7', command: [pupil.options.command[0], '-p', ...flags] })
    expect(events[1]).toEqual({ type: 'session', session: turn.openAs })
    expect(result.session).toBe('s')
  })

  it('goes on with a session', async () => {
    const { events } = await play(openPupil(), [good], { session: 'one-before', model: 'm' })
    const started = events[0]?.type === 'started' ? events[0].command.slice(-4) : []
    expect(started).toEqual(['--model', 'm', '--resume', 'one-before'])
  })

  it('asks for the version once', async () => {
    const pupil = openPupil()
    await play(pupil, [good])
    await play(pupil, [good])
    expect(pupil.commands.filter(({ input }) => input === '')).toHaveLength(1)
  })

  it('appends the arguments of the settings, and passes the variables they name', async () => {
    const pupil = openPupil({ env: { MY_PROXY: 'p', GITHUB_TOKEN: 'secret' } })
    const options = { ...pupil.options, args: ['--effort', 'high'], environment: ['MY_PROXY'] }
    const { events } = await play(pupil, [good], { options })
    const started = events[0]?.type === 'started' ? events[0] : null
    expect(started?.command.slice(-2)).toEqual(['--effort', 'high'])
    expect(started?.environment).toEqual(expect.arrayContaining(['ANTHROPIC_API_KEY', 'MY_PROXY', 'ROPEWALK_RESULT']))
    expect(started?.environment).not.toContain('GITHUB_TOKEN')
  })

  it('takes a prompt of 1 MB on standard input', async () => {
    const { result } = await play(openPupil(), [{ warn: '"é" \\ `id`'.repeat(100_000) }, good])
    expect(result.status).toBe('finished')
  })

  it('refuses settings that make no sense', async () => {
    await expect(play(openPupil(), [good], { options: { command: 'x y' } })).rejects.toThrow(/command/)
  })

  it('may write its home, what its home is linked to, and its answers, besides what it may anyway', async () => {
    const pupil = openPupil()
    const signIn = join(pupil.user, '.claude', '.credentials.json')
    mkdirSync(join(pupil.user, '.claude'))
    writeFileSync(signIn, '{}')
    const rules = { show: [], guard: ['/hook'], bare: ['/user'], kept: ['/tool'], network: false }
    const confine = { write: ['/workspace'], hide: ['/secret'], ...rules }
    const { turn } = await play(pupil, [good], { confine })
    const { write, ...rest } = pupil.commands.at(-1)?.confine ?? { write: [] }
    expect(rest).toEqual({ hide: ['/secret'], ...rules })
    const hide = ['.claude', '.claude.json', '.codex'].map((name) => join(pupil.user, name))
    await play(pupil, [good], { confine: { ...confine, hide }, options: { home: 'user' } })
    expect(pupil.commands.at(-1)?.confine).toMatchObject({ hide: [hide[0], hide[2]], kept: ['/tool', hide[1]] })
    expect(write.slice(0, 4)).toEqual(['/workspace', join(turn.resultFile, '..'), join(pupil.homes, 'claude'), signIn])
  })
})

const flags = [
  ...['--output-format', 'stream-json', '--verbose', '--dangerously-skip-permissions'],
  ...['--session-id', '00000000-0000-4000-8000-000000000000'],
]

describe('its home', () => {
  const homeOf = (pupil: ReturnType<typeof openPupil>) => pupil.commands.at(-1)?.env.CLAUDE_CONFIG_DIR

  it('is its own, for our eyes only, and linked to the sign-in of the user', async () => {
    const pupil = openPupil()
    const [home, signIn] = [join(pupil.homes, 'claude'), join(pupil.user, '.claude', '.credentials.json')]
    await play(pupil, [good])
    expect(homeOf(pupil)).toBe(home)
    expect(statSync(home).mode & 0o777).toBe(0o700)
    expect(readdirSync(home)).toEqual(['settings.json'])
    const { claudeMdExcludes } = JSON.parse(readFileSync(join(home, 'settings.json'), 'utf8'))
    expect(claudeMdExcludes).toEqual(expect.arrayContaining(['/CLAUDE.md', join(pupil.homes, '.claude/CLAUDE.md')]))
    mkdirSync(join(pupil.user, '.claude'))
    writeFileSync(signIn, 'first')
    await play(pupil, [good])
    expect(readFileSync(join(home, '.credentials.json'), 'utf8')).toBe('first')
    rmSync(signIn)
    await play(pupil, [good])
    expect(readdirSync(home)).toEqual(['settings.json'])
  })

  it('keeps a sign-in that the agent has renewed by a file of its own', async () => {
    const pupil = openPupil()
    mkdirSync(join(pupil.user, '.claude'))
    writeFileSync(join(pupil.user, '.claude', '.credentials.json'), 'first')
    const file = join(pupil.homes, 'claude', '.credentials.json')
    await play(pupil, [good])
    rmSync(file)
    writeFileSync(file, 'renewed')
    await play(pupil, [good])
    expect(lstatSync(file).isFile()).toBe(true)
  })

  it('has the files that the agent is declared to need', async () => {
    const home = { ...claude.home, files: () => ({ 'deep/settings.json': '{"quiet":true}' }) }
    const pupil = openPupil({ agent: { ...claude, home } })
    await play(pupil, [good])
    expect(readFileSync(join(pupil.homes, 'claude', 'deep/settings.json'), 'utf8')).toBe('{"quiet":true}')
    expect(readdirSync(join(pupil.homes, 'claude', 'deep'))).toHaveLength(1)
  })

  it('is the user own one where the settings say so', async () => {
    const pupil = openPupil()
    await play(pupil, [good], { options: { ...pupil.options, home: 'user' } })
    expect(homeOf(pupil)).toBeUndefined()
    expect(existsSync(join(pupil.homes, 'claude'))).toBe(false)
    const elsewhere = openPupil({ env: { CLAUDE_CONFIG_DIR: '/elsewhere' } })
    await play(elsewhere, [good], { options: { ...elsewhere.options, home: 'user' } })
    expect(homeOf(elsewhere)).toBe('/elsewhere')
  })
})

describe('what it spent', () => {
  const told = { inputTokens: 15, outputTokens: 20, cachedTokens: 5 }
  const call = (id: string) => ({
    print: {
      type: 'assistant',
      message: { id, model: 'opus', content: [], usage: { input_tokens: 100, output_tokens: 3 } },
    },
  })

  it('is exact at its end, and an estimate before', async () => {
    expect((await play(openPupil(), [good])).result.spent).toMatchObject({ usage: told, exact: true, totals: null })
    const { result, events } = await play(openPupil(), [call('a'), call('a'), call('b'), { exit: 1 }])
    const usage = { inputTokens: 200, outputTokens: 6, cachedTokens: 0 }
    expect(events.findLast(({ type }) => type === 'usage')).toEqual({ type: 'usage', usage, model: 'opus' })
    expect(result.spent).toEqual({ usage, exact: false, usd: null, model: 'opus', totals: null })
  })

  it('is the difference where only the session is told, and its own files know best', async () => {
    const counted = { inputTokens: 12, outputTokens: 9, cachedTokens: 5 }
    const usage = { inputTokens: 14, outputTokens: 10, cachedTokens: 5 }
    const filed = { usage, counted, model: 'opus', trouble: null }
    const totals = { inputTokens: 5, outputTokens: 5, cachedTokens: 0 }
    const plain = openPupil({ agent: { ...claude, totals: 'session' } })
    const { result } = await play(plain, [good], { session: 's', totals })
    expect(result.spent).toMatchObject({ usage: { inputTokens: 10, outputTokens: 15, cachedTokens: 5 }, totals: told })
    const filing = openPupil({ agent: { ...claude, totals: 'session', filed: async () => filed } })
    const resumed = await play(filing, [good], { session: 's', totals })
    expect(resumed.result.spent.usage).toEqual({ inputTokens: 3, outputTokens: 11, cachedTokens: 0 })
    expect((await play(filing, [good])).result.spent.usage).toEqual(told)
    const killed = await play(filing, [{ exit: 1 }], { session: 's', totals })
    const rest = { inputTokens: 2, outputTokens: 1, cachedTokens: 0 }
    expect(killed.result.spent).toMatchObject({ usage: rest, exact: false, model: 'opus', totals: counted })
  })

  it('is found in the transcript of a turn that died with us', async () => {
    const { driver } = openPupil()
    const transcript = join(folder(), 'transcript')
    expect(await driver.salvage({ transcript, totals: null, session: null, promptChars: 0 })).toBeNull()
    const lines = [call('a'), call('b')].map(({ print }) => JSON.stringify(print))
    writeFileSync(transcript, `warning\n${'x'.repeat(3 << 20)}\n${lines.join('\n')}\n{"type":"assis`)
    // With the call that it was waiting for, and a word of its answer: no tool was running.
    const usage = { inputTokens: 803, outputTokens: 7, cachedTokens: 0 }
    expect(await driver.salvage({ transcript, totals: null, session: null, promptChars: 0 })).toMatchObject({
      usage,
      exact: false,
      model: 'opus',
    })
    writeFileSync(transcript, 'nothing')
    expect(await driver.salvage({ transcript, totals: null, session: null, promptChars: 0 })).toBeNull()
  })
})

describe('a probe', () => {
  const probe = (pupil: ReturnType<typeof openPupil>, more: object = {}, timeoutMs = 20_000) =>
    pupil.driver.probe({ ...pupil.options, ...more }, turnOf({}).workspace, timeoutMs)

  it('finds it usable', async () => {
    expect(await probe(openPupil())).toEqual({
      usable: true,
      version: '9.8.7',
      signedIn: 'ANTHROPIC_API_KEY',
      notes: [],
    })
  })

  it('tells that it was too slow apart from what is wrong with it', async () => {
    const found = await probe(openPupil(), { command: ['sh', '-c', 'sleep 5', 'agent'] }, 300)
    expect(found).toMatchObject({ usable: false, late: true, problem: 'it does not answer within 0.3 s' })
  })

  it('tells who is too old to install a newer one', async () => {
    const found = await probe(openPupil({ env: { PUPIL_HELP: '--model' } }))
    expect(found).toMatchObject({ remedy: expect.stringMatching(/^Install a newer one: npm install/) })
  })

  it.each([
    ['it is not there', {}, { command: ['/nowhere/agent'] }, /no such program/],
    ['it does not start', {}, { command: ['false'] }, /exit code 1/],
    [
      'it is too old',
      { PUPIL_HELP: '--model --verbose --resume-all' },
      {},
      /too old: version 9\.8\.7 .*--output-format.*--resume/,
    ],
    ['it is not signed in', { ANTHROPIC_API_KEY: '' }, {}, /signed in/],
    ['it would have to ask', {}, { permissions: 'ask' }, /permission/],
    ['the settings are wrong', {}, { home: 'mine' }, /home/],
  ])('says why not: %s', async (_, env, options, problem) => {
    const found = await probe(openPupil({ env: env as Record<string, string> }), options)
    expect(found).toMatchObject({ usable: false, problem: expect.stringMatching(problem), remedy: expect.any(String) })
  })
})
