// What a model service refuses says nothing about the work: no attempt is spent, and nothing is lost.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeModel, openFakeModel } from '../../contract/agents/fake-model/server.ts'
import { git } from '../../contract/user-repository.ts'
import { exits, type Running, until } from '../binary.ts'
import { story, Yard } from '../yard.ts'
import { rigsFor } from './rigs.ts'
import { plainWork } from './walk.ts'

let fake: FakeModel
beforeAll(async () => {
  fake = await openFakeModel()
  const writes = (text: string) => ({ do: 'shell', command: `echo ${text} >> src/one.txt` }) as const
  fake.script({ on: 'Your story: one', scenario: { steps: [{ say: 'So.', act: writes('one') }, { say: 'Done.' }] } })
  fake.script({
    on: 'HOLD',
    scenario: {
      steps: [
        { say: 'So.', act: writes('half') },
        { say: 'I wait.', act: { do: 'shell', command: 'tail -f /dev/null' } },
        { say: 'Done.' },
      ],
    },
  })
  const last = { steps: [{ say: 'The rest.', act: writes('rest') }, { say: 'Done.' }] }
  fake.script({ on: /HOLD[\s\S]*its last turn was cut off/, scenario: last })
})
afterAll(() => fake.close())

const env = { FAKE_KEY: 'fake-key', BAD_KEY: 'wrong-key' }

function open(more: object = {}): Yard {
  const { settings } = rigsFor(fake.url).builtin
  const wrong = { ...settings, api: { type: 'anthropic', url: fake.url, key: 'BAD_KEY' } }
  return new Yard({ config: { agents: { mine: settings, wrong }, ...plainWork, ...more } })
}

const deliver = (yard: Yard, description: string, ...args: string[]): Running =>
  yard.start(yard.planArgs([story('one', { description })], ...args), { env })

/** At work in a tool that does not end. */
async function held(yard: Yard, description: string): Promise<Running> {
  const since = fake.calls().length
  const running = deliver(yard, description)
  const isHeld = () =>
    fake
      .calls()
      .slice(since)
      .some(({ step, outcome }) => step === 1 && outcome === 200)
  await Promise.race([until(isHeld), running.done.then((over) => exits(over, -1))])
  return running
}

async function attemptsOf(yard: Yard): Promise<number[]> {
  const starts = (await yard.eventsOf('StepStarted')).flatMap(({ step }) => (step.verb === 'CodeStory' ? [step] : []))
  return [...new Set(starts.map(({ attempt }) => attempt))]
}

describe('a rate limit', () => {
  it('is waited for, and spends no attempt', async () => {
    const yard = open()
    exits(await deliver(yard, 'FAIL:429,times=1,after=2,as=1').done, 0)
    const [refused] = await yard.eventsOf('AgentRefused')
    expect(refused).toMatchObject({ agent: 'mine', kind: 'rate-limit', until: expect.any(Number) })
    expect(await attemptsOf(yard)).toEqual([1])
    expect(git(yard.repo, 'show', 'main:src/one.txt')).toBe('one')
  })

  it('is shown with its time, and outlives a kill', async () => {
    const yard = open()
    const running = deliver(yard, 'FAIL:429,times=1,after=6,as=2')
    await until(async () => (await yard.events().catch(() => [])).some(({ event }) => event.type === 'AgentRefused'))
    expect((await yard.ropewalk('status')).stdout).toMatch(/mine is paused until \d\d:\d\d/)
    running.child.kill('SIGKILL')
    await running.done
    exits(await yard.start(['resume'], { env }).done, 0)
    expect(await yard.eventsOf('AgentRefused')).toHaveLength(1)
    expect(await attemptsOf(yard)).toEqual([1])
  })
})

describe('an agent that cannot work', () => {
  it('gives way to the next of its chain', async () => {
    const yard = open({ roles: { coder: ['wrong', 'mine'] } })
    exits(await deliver(yard, '').done, 0)
    expect(await yard.eventsOf('AgentRefused')).toMatchObject([{ agent: 'wrong', kind: 'auth' }])
    const turns = await yard.eventsOf('TurnSpent')
    expect(turns.map(({ turn }) => turn.agent)).toEqual(['wrong', 'mine'])
    expect(await attemptsOf(yard)).toEqual([1])
  })

  it('ends in one clear sentence where there is no other', async () => {
    const yard = open({ roles: { coder: 'wrong' } })
    const said = exits(await deliver(yard, '').done, 2)
    expect(said.stdout).toMatch(/wrong.*auth/)
    expect(said.stdout).toMatch(/[Ss]ign wrong in/)
    expect(said.stdout).toMatch(/ropewalk resume \S+ {3}\(with --repin/)
    expect((await yard.ropewalk('status')).stdout.match(/is not signed in/g)).toHaveLength(1)
  })
})

it('what a human says reaches the agent at work, which goes on where it was', async () => {
  const yard = open()
  const since = fake.calls().length
  const running = await held(yard, 'HOLD')
  exits(await yard.ropewalk('tell', 'one', 'Write the rest, please'), 0)
  exits(await running.done, 0)
  expect(git(yard.repo, 'show', 'main:src/one.txt')).toBe('half\nrest')
  const told = fake
    .calls()
    .slice(since)
    .filter(({ said }) => said.some(({ text }) => text.includes('Write the rest, please')))
  expect(told.length).toBeGreaterThan(0)
  expect(told[0]!.said.some(({ text }) => text.includes('I wait.'))).toBe(true)
  expect(await attemptsOf(yard)).toEqual([1])
})

it('a session that is gone is opened anew, and spends no attempt', async () => {
  const yard = open()
  const running = await held(yard, 'HOLD, then GONE')
  running.child.kill('SIGKILL')
  await running.done
  rmSync(join(yard.home, 'agents'), { recursive: true, force: true })
  const anew = { do: 'shell', command: 'echo new > src/one.txt' } as const
  fake.script({ on: 'GONE', scenario: { steps: [{ say: 'Anew.', act: anew }, { say: 'Done.' }] } })
  exits(await yard.start(['resume'], { env }).done, 0)
  expect(await yard.eventsOf('AgentRefused')).toMatchObject([{ kind: 'session' }])
  expect(git(yard.repo, 'show', 'main:src/one.txt')).toBe('new')
  expect(await attemptsOf(yard)).toEqual([1])
})

it('a request that is refused in the middle of fresh turns is not paid for again and again', async () => {
  const yard = open()
  exits(await deliver(yard, 'FAIL:400,step=1', '--unattended').done, 2)
  const fates = [...(await yard.eventsOf('CodingFailed')), ...(await yard.eventsOf('AgentRefused'))]
  expect(fates.map(({ kind }) => kind)).toEqual(['crash', 'crash', 'crash', 'session', 'session'])
})

const unpriced = () =>
  open({ agents: { mine: { ...rigsFor(fake.url).builtin.settings, models: { fast: 'fake-model' } } } })

describe('money', () => {
  it('that nobody knows a price for is an alarm, once', async () => {
    const again = unpriced()
    exits(await deliver(again, 'FAIL:400,step=1', '--unattended').done, 2)
    expect(await again.eventsOf('ConcernRaised')).toHaveLength(1)
    const yard = unpriced()
    exits(await deliver(yard, '').done, 0)
    const [completed] = await yard.eventsOf('DeliveryCompleted')
    expect(completed).toMatchObject({ result: 'done-with-concerns' })
    expect(completed!.concerns.join('\n')).toMatch(/no price is known for fake-model/)
  })

  it('runs out, and halts with exit code 4', async () => {
    const yard = open({ ceilings: { usdPerDelivery: 0.001 } })
    const said = await yard.start(yard.planArgs([story('one'), story('two', { dependsOn: ['one'] })]), { env }).done
    exits(said, 4)
  })
})
