import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { agentOf, type Given, openYard, type Yard } from './yard.ts'

const given = (script: unknown[], more: Partial<Given> = {}): Given => ({
  files: { 'a.txt': 'a\n', '.gitignore': 'deps/\n' },
  stories: [{ id: 'one' }],
  script,
  ...more,
})

const workspace = (yard: Yard): string => yard.world.places.workspace('d1', 'one', 1)

const promptSource = { prompt: 'coder', override: null, hash: '', isolation: 'full' as const, sections: [] as string[] }

/** Of a prompt that is gone. */
const digest = '0'.repeat(64)

describe('a coding turn', () => {
  it('fails as empty when nothing was changed, unless the story may be empty', async () => {
    const idle = await openYard(given([{ do: [{ say: 'all done' }] }]))
    expect((await idle.perform('CodeStory')).ending).toMatchObject({
      type: 'CodingFailed',
      kind: 'empty',
      evidence: 'all done',
    })
    const allowed = await openYard(given([{ do: [] }], { stories: [{ id: 'one', mayBeEmpty: true }] }))
    expect((await allowed.perform('CodeStory')).ending).toMatchObject({ type: 'StoryCoded' })
  })

  it('fails as empty when a later round leaves everything as it was', async () => {
    const yard = await openYard(
      given([
        { round: 1, do: [{ write: { 'b.txt': '<<<<<<< x\n=======\n>>>>>>> y\n' } }] },
        { round: 2, do: [] },
      ]),
    )
    await yard.perform('CodeStory')
    expect((await yard.perform('Judge')).ending).toMatchObject({ verdict: { status: 'findings' } })
    expect((await yard.perform('CodeStory')).ending).toMatchObject({ type: 'CodingFailed', kind: 'empty' })
  })

  it('is not blamed for what its product does to its own file, and is for what else is changed there', async () => {
    const file = '.qwen/settings.json'
    const coded = async (after: string, mayChange: string[] = []) => {
      const script = [{ do: [{ write: { 'b.txt': 'b\n', [file]: after } }] }]
      const files = { 'a.txt': 'a\n', [file]: '{"a":1}\n' }
      const yard = await openYard(given(script, { files, stories: [{ id: 'one', mayChange }] }))
      const { ending, interims } = await yard.perform('CodeStory')
      const { commit } = ending as { commit: string }
      const concerns = interims.flatMap((event) => (event.type === 'ConcernRaised' ? [event.text] : []))
      return { text: await yard.repository.readFile(commit, file), concerns }
    }
    const rewritten = '{\n  "a": 1,\n  "$version": 3\n}\n'
    expect(await coded(rewritten)).toEqual({
      text: '{"a":1}\n',
      concerns: [`mine rewrote ${file} unasked, as its product does whenever it starts ($version); it was put back`],
    })
    const edited = '{ "a": 2, "$version": 3 }\n'
    expect(await coded(edited)).toEqual({ text: edited, concerns: [] })
    expect(await coded(rewritten, ['.qwen/**'])).toEqual({ text: rewritten, concerns: [] })
  })

  it('archives the work of a crashed turn at once, and says where', async () => {
    const yard = await openYard(given([{ do: [{ write: { 'half.txt': 'half\n' } }, { crash: true }] }]))
    const { ending, interims } = await yard.perform('CodeStory')
    expect(ending).toMatchObject({ type: 'CodingFailed', kind: 'crash' })
    const archived = interims.find((event) => event.type === 'WorkArchived')
    expect(archived?.ref).toBe('refs/ropewalk/archive/d1/one/a1-r1-t1')
    expect(await yard.repository.readFile(archived!.commit, 'half.txt')).toBe('half\n')
    expect(existsSync(`${workspace(yard)}/half.txt`)).toBe(false)
    expect(interims.filter((event) => event.type === 'TurnSpent')).toHaveLength(1)
  })

  it('tells of a limit until when it lasts, and never a time in the past', async () => {
    const soon = await openYard(given([{ do: [{ limit: { resetsInMs: 120_000 } }] }]))
    const before = Date.now()
    const { ending } = await soon.perform('CodeStory', { lose: true })
    expect(ending).toMatchObject({ type: 'AgentRefused', story: 'one', agent: 'mine', kind: 'rate-limit' })
    expect(ending.type === 'AgentRefused' && ending.until).toBeGreaterThan(before + 60_000)
    const past = await openYard(given([{ do: [{ limit: { resetsAt: '2001-01-01T00:00:00Z' } }] }]))
    const late = await past.perform('CodeStory', { lose: true })
    expect(late.ending.type === 'AgentRefused' && late.ending.until).toBeGreaterThan(before)
  })

  it('asks, times out, and names the agent that cannot work', async () => {
    const asks = await openYard(given([{ do: [{ ask: { text: 'Which?', options: ['a', 'b'] } }] }]))
    expect((await asks.perform('CodeStory')).ending).toMatchObject({
      type: 'CoderAsked',
      text: 'Which?',
      options: ['a', 'b'],
    })
    const hangs = given([{ do: [{ hang: true }] }])
    const limits = { timeoutMs: 200, idleTimeoutMs: 60_000 }
    const slow = await openYard({ ...hangs, policy: { agents: { mine: { ...agentOf(hangs.script), ...limits } } } })
    expect((await slow.perform('CodeStory')).ending).toMatchObject({ type: 'CodingFailed', kind: 'timeout' })
    const wrong = await openYard(given([{ story: 'other', do: [] }]))
    expect((await wrong.perform('CodeStory')).ending).toMatchObject({
      type: 'AgentRefused',
      agent: 'mine',
      kind: 'bad-request',
      remedy: expect.stringContaining('agents.mine'),
    })
  })

  it('is ended at the ceiling of the day', async () => {
    const usage = { inputTokens: 60, outputTokens: 1 }
    const yard = await openYard(given([{ do: [{ usage }, { hang: true }] }]))
    const { policy } = await yard.state()
    const ceilings = { ...policy!.ceilings, tokensPerDay: 60 }
    await yard.tell({ type: 'PolicyPinned', policy: { ...policy!, ceilings }, hash: 'p2' })
    const { ending } = await yard.perform('CodeStory')
    expect(ending).toMatchObject({ type: 'StepParked', reason: expect.stringContaining('60 tokens for today') })
  })

  it('is ended when its minutes are over, though it tells nothing', async () => {
    const yard = await openYard(given([{ do: [{ hang: true }] }]))
    const { policy } = await yard.state()
    const ceilings = { ...policy!.ceilings, minutesPerStory: 0.01 }
    await yard.tell({ type: 'PolicyPinned', policy: { ...policy!, ceilings }, hash: 'p2' })
    const { ending } = await yard.perform('CodeStory')
    expect(ending).toMatchObject({ type: 'StepParked', reason: expect.stringContaining('0.01 minutes for the story') })
  })

  it('rejects when it is aborted, with its turn in the ledger', async () => {
    const yard = await openYard(given([{ do: [{ hang: true }] }]))
    const controller = new AbortController()
    const turn = yard.perform('CodeStory', { signal: controller.signal })
    while ((await yard.state()).stories.one?.thisAttempt.session === null)
      await new Promise((resolve) => setImmediate(resolve))
    controller.abort(new Error('interrupted'))
    await expect(turn).rejects.toThrow('interrupted')
    const spent = await yard.log.query({
      ...{ delivery: 'd1', story: null, after: 0, limit: 10, from: 'first' },
      types: ['TurnSpent'],
    })
    expect(spent).toHaveLength(1)
  })

  it('is not paid again when only its outcome was lost', async () => {
    const yard = await openYard(given([{ do: [{ write: { 'b.txt': 'b\n' } }] }]))
    const lost = await yard.perform('CodeStory', { lose: true })
    const again = await yard.perform('CodeStory', { try: 2 })
    expect(again.interims).toEqual([])
    const commit = lost.ending.type === 'StoryCoded' ? lost.ending.commit : ''
    expect(again.ending).toMatchObject({ type: 'StoryCoded', commit })
  })

  it('puts a turn that died with us into the ledger, once, for what was set aside', async () => {
    const yard = await openYard(
      given([{ do: [{ usage: { inputTokens: 1, outputTokens: 1, usd: 0.1 } }, { crash: true }] }]),
    )
    const { policy } = await yard.state()
    const agents = { mine: { ...policy!.agents.mine!, reserveUsd: 0.5 } }
    await yard.tell({ type: 'PolicyPinned', policy: { ...policy!, agents }, hash: 'p2' })
    const step = await yard.due('CodeStory')
    const about = { step: step.id, story: 'one', role: 'coder', agent: 'mine', model: null, promptDigest: digest }
    await yard.tell({ type: 'StepStarted', step, try: 1, worker: 'w', mark: 'm', reserveUsd: 0.5 })
    const rest = { promptSource, workspace: '', command: [], environment: [], agentVersion: null }
    await yard.tell({ type: 'AgentStarted', ...about, ...rest })
    const { interims } = await yard.perform('CodeStory', { try: 2, lose: true })
    const spent = interims.flatMap((event) => (event.type === 'TurnSpent' ? [event.turn] : []))
    expect(spent).toMatchObject([
      { usd: 0.5, exact: false },
      { usd: 0.1, exact: true },
    ])
    await yard.perform('CodeStory', { try: 3 })
    expect((await yard.state()).money.usd).toBeCloseTo(0.7)
  })

  it('that died with us and is not taken again is in the ledger too', async () => {
    const yard = await openYard(given([{ do: [] }]))
    const { policy } = await yard.state()
    const agents = { mine: { ...policy!.agents.mine!, reserveUsd: 0.5 } }
    await yard.tell({ type: 'PolicyPinned', policy: { ...policy!, agents }, hash: 'p2' })
    const step = await yard.due('CodeStory')
    const about = { step: step.id, story: 'one', role: 'coder', agent: 'mine', model: null, promptDigest: digest }
    await yard.tell({ type: 'StepStarted', step, try: 1, worker: 'w', mark: 'm', reserveUsd: 0.5 })
    const rest = { promptSource, workspace: '', command: [], environment: [], agentVersion: null }
    await yard.tell({ type: 'AgentStarted', ...about, ...rest })
    await yard.tell({ type: 'DeliveryStopping', reason: 'enough', by: 'ada' })
    const { interims } = await yard.perform('CompleteDelivery')
    expect(interims).toMatchObject([{ type: 'TurnSpent', turn: { usd: 0.5, exact: false } }])
    expect((await yard.state()).money.usd).toBe(0.5)
  })

  it('goes on with its session, and hears what became of its work', async () => {
    const yard = await openYard(
      given([
        { resumed: false, do: [{ write: { 'half.txt': 'half\n' } }, { crash: true }] },
        { resumed: true, prompt: 'archived', do: [{ write: { 'b.txt': 'b\n' } }] },
      ]),
    )
    await yard.perform('CodeStory')
    const { ending } = await yard.perform('CodeStory')
    expect(ending).toMatchObject({ type: 'StoryCoded' })
  })

  it('sets a workspace up once, and drops what the set-up changes besides ignored files', async () => {
    const setup = { run: 'mkdir -p deps; echo x >> deps/log; echo changed > a.txt', timeoutMs: 10_000 }
    const script = [
      { round: 1, do: [{ write: { 'b.txt': '<<<<<<< x\n=======\n>>>>>>> y\n' } }] },
      { round: 2, do: [{ write: { 'b.txt': 'b\n' } }] },
    ]
    const yard = await openYard(given(script, { policy: { setup } }))
    const first = await yard.perform('CodeStory')
    expect(first.interims.map((event) => event.type)).toContain('ConcernRaised')
    const commit = first.ending.type === 'StoryCoded' ? first.ending.commit : ''
    expect(await yard.repository.readFile(commit, 'a.txt')).toBe('a\n')
    await yard.perform('Judge')
    await yard.perform('CodeStory')
    expect(readFileSync(`${workspace(yard)}/deps/log`, 'utf8')).toBe('x\n')
  })

  it('does not begin when the set-up fails', async () => {
    const setup = { run: 'echo no network; exit 3', timeoutMs: 10_000 }
    const yard = await openYard(given([{ do: [] }], { policy: { setup } }))
    await expect(yard.perform('CodeStory')).rejects.toMatchObject({
      name: 'EnvironmentError',
      message: expect.stringContaining('no network'),
    })
  })
})
