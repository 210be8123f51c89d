// The whole way of a requirement with an agent that has a real loop and real tools; only the model is played.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeModel, openFakeModel } from '../../contract/agents/fake-model/server.ts'
import { git } from '../../contract/user-repository.ts'
import { exits, until } from '../binary.ts'
import { Yard } from '../yard.ts'
import { type Rig, rigsFor } from './rigs.ts'

const plan = {
  outline: {
    approach: 'One after the other',
    runnerUp: { approach: 'Both at once', lostBecause: 'It is harder to read.' },
  },
  stories: [
    { id: 'one', title: 'Write one', criteria: ['src/one.txt is there'] },
    { id: 'two', title: 'Write two', dependsOn: ['one'] },
  ],
}

/** Who only plans and codes. */
export const plainWork = {
  roles: { coder: 'mine', challenger: [] },
  intent: { skip: true },
  review: { reviewers: [] },
}

export function walksWith(name: 'claude' | 'codex' | 'builtin'): void {
  describe(`a requirement, delivered by ${name}`, () => {
    let fake: FakeModel
    let rig: Rig
    beforeAll(async () => {
      fake = await openFakeModel()
      rig = rigsFor(fake.url)[name]
      fake.script({
        on: 'Draft a plan',
        scenario: { steps: [{ say: `Here is the plan.\n\n\`\`\`json\n${JSON.stringify(plan)}\n\`\`\`\n` }] },
      })
      for (const story of ['one', 'two'])
        fake.script({
          on: `Your story: ${story}`,
          scenario: {
            steps: [
              { say: 'I look around.', act: { do: 'shell', command: 'ls' } },
              { say: 'I write it.', act: { do: 'shell', command: `echo ${story} > src/${story}.txt` } },
              { say: `Done: src/${story}.txt is there.` },
            ],
          },
        })
    })
    afterAll(() => fake.close())

    const open = (): Yard => new Yard({ config: { agents: { mine: rig.settings }, ...plainWork } })

    it('is planned, coded, proven and landed, and the ledger is what the model service counted', async () => {
      const yard = open()
      const since = fake.calls().length
      exits(await yard.start(['run', 'Write one and two', '--gates', 'auto'], { env: rig.env }).done, 0)
      expect(git(yard.repo, 'log', '--format=%s', '-2').split('\n')).toEqual(['Write two', 'Write one'])
      expect(git(yard.repo, 'show', 'main:src/two.txt')).toBe('two')
      const turns = await yard.eventsOf('TurnSpent')
      expect(turns.map(({ turn }) => turn.role)).toEqual(['planner', 'coder', 'coder'])
      expect(turns.every(({ turn }) => turn.exact)).toBe(true)
      expect(sum(turns.map(({ turn }) => turn.usage))).toEqual(sum(asked(fake, since)))
    })

    it('answers by a tool when words did not do, and leaves a handoff by it', async () => {
      const yard = open()
      const answer = { stories: [{ id: 'three', title: 'Write three' }] }
      const decisions = [{ what: 'Three is a word', why: 'so are one and two' }]
      const submit = (given: Record<string, unknown>) => ({
        say: 'I answer.',
        act: { do: 'submit', answer: given } as const,
      })
      fake.script({
        on: /Draft a plan[\s\S]*Write only three/,
        scenario: { steps: [{ say: 'There will be one story.' }] },
      })
      fake.script({ on: 'Answer again', scenario: { steps: [submit(answer), { say: 'There it is.' }] } })
      const act = { do: 'shell', command: 'echo three > src/three.txt' } as const
      const steps = [{ say: 'I write it.', act }, submit({ decisions }), { say: 'Done.' }]
      fake.script({ on: 'Your story: three', scenario: { steps } })
      exits(await yard.start(['run', 'Write only three', '--gates', 'auto'], { env: rig.env }).done, 0)
      expect(git(yard.repo, 'show', 'main:src/three.txt')).toBe('three')
      expect((await yard.eventsOf('TurnSpent')).map(({ turn }) => turn.role)).toEqual(['planner', 'planner', 'coder'])
      expect((await yard.eventsOf('StoryCoded'))[0]).toMatchObject({ handoff: { quality: 'full', decisions } })
    })

    it('goes on in the same session after kill -9 in the middle of a turn', async () => {
      const yard = open()
      fake.script({
        on: /Your story: slow/,
        scenario: {
          steps: [
            { say: 'Half of it.', act: { do: 'shell', command: 'echo half > src/slow.txt' } },
            { say: 'This takes long.', act: { do: 'shell', command: 'tail -f /dev/null' } },
            { say: 'Done.' },
          ],
        },
      })
      fake.script({
        on: /its last turn was cut off/,
        scenario: {
          steps: [
            { say: 'The rest of it.', act: { do: 'shell', command: 'echo whole >> src/slow.txt' } },
            { say: 'Done.' },
          ],
        },
      })
      const running = yard.start(yard.planArgs([{ id: 'slow', title: 'Be slow' }]), { env: rig.env })
      const asleep = () =>
        fake.calls().some((call) => call.step === 1 && call.outcome === 200 && said(call, 'Your story: slow'))
      await Promise.race([until(asleep), running.done.then((over) => exits(over, -1))])
      await until(async () => (await yard.eventsOf('SessionOpened')).length > 0)
      running.child.kill('SIGKILL')
      await running.done
      exits(await yard.start(['resume'], { env: rig.env }).done, 0)
      expect(git(yard.repo, 'show', 'main:src/slow.txt')).toBe('half\nwhole')
      // What was killed may have asked once more before it was gone.
      const resumedAt = fake.calls().findIndex((call) => !call.isHidden && said(call, 'its last turn was cut off'))
      expect(said(fake.calls()[resumedAt]!, 'This takes long.')).toBe(true)
      const turns = (await yard.eventsOf('TurnSpent')).map(({ turn }) => turn)
      expect(turns.map(({ exact }) => exact)).toEqual([false, true])
      expect(turns[1]!.usage).toEqual(sum(asked(fake, resumedAt)))
      const sessions = (await yard.eventsOf('SessionOpened')).map(({ session }) => session)
      expect(new Set(sessions).size).toBe(1)
    })
  })
}

const said = (call: { said: { text: string }[] }, text: string): boolean =>
  call.said.some((part) => part.text.includes(text))

/** Titles and suggestions that an agent asks for on the side are not told as part of a turn. */
const asked = (fake: FakeModel, since: number) =>
  fake
    .calls()
    .slice(since)
    .filter((call) => !call.isHidden)
    .map((call) => call.usage)

const sum = (all: { inputTokens: number; outputTokens: number; cachedTokens: number }[]) => ({
  inputTokens: all.reduce((total, one) => total + one.inputTokens, 0),
  outputTokens: all.reduce((total, one) => total + one.outputTokens, 0),
  cachedTokens: all.reduce((total, one) => total + one.cachedTokens, 0),
})
