import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exits, type Said, until } from './binary.ts'
import { processesOf } from './untouched.ts'
import { story, Yard } from './yard.ts'

/** Works once it may, so that a test can act in the meantime. */
const waits = `
echo begun > "$HOME/begun-$ROPEWALK_STORY"
while [ ! -e "$HOME/go" ]; do sleep 0.05; done
echo work > "src/$ROPEWALK_STORY.txt"
`

const begun = (yard: Yard, id: string) => until(() => existsSync(join(yard.person, `begun-${id}`)))
const letGo = (yard: Yard) => writeFileSync(join(yard.person, 'go'), '')

describe('a delivery in course', () => {
  it('paused lets what runs finish; paused now ends it; resumed both go on', async () => {
    const yard = new Yard({ agent: waits, config: { limits: { agents: 1 } } })
    const running = yard.start(yard.planArgs([story('one'), story('two')]))
    await begun(yard, 'one')
    expect(exits(await yard.ropewalk('pause'), 0).stdout).toMatch(/What is running may finish/)
    letGo(yard)
    expect(exits(await running.done, 3).stdout).toMatch(/paused/)
    expect(existsSync(join(yard.person, 'begun-two'))).toBe(false)
    expect((await yard.eventsOf('StoryCoded')).map((event) => event.story)).toEqual(['one'])

    const second = await pausedNow(yard)
    expect(exits(second, 3).stdout).toMatch(/paused/)
    // Whatever ran is ended: `two` at its agent, and perhaps `one` at its check.
    expect((await yard.eventsOf('StepAborted')).map((event) => event.story)).toContain('two')
    letGo(yard)
    exits(await yard.ropewalk('resume'), 0)
    const stories = (await yard.status()).stories
    expect(stories.map(({ word, attempt, round }) => [word, attempt, round])).toEqual([
      ['merged', 1, 1],
      ['merged', 1, 1],
    ])
  })

  it('stopped ends with 3, keeps what was done, and can be taken up again', async () => {
    const yard = new Yard({ agent: waits })
    const running = yard.start(yard.planArgs([story('one')]))
    await begun(yard, 'one')
    exits(await yard.ropewalk('stop', '--because', 'a meeting'), 0)
    expect(exits(await running.done, 3).stdout).toMatch(/stopped/)
    expect(await yard.status()).toMatchObject({ word: 'stopped', reason: 'a meeting' })
    letGo(yard)
    exits(await yard.ropewalk('resume'), 0)
    expect(yard.files()).toContain('src/one.txt')
  })
})

const deaf = `trap '' TERM INT HUP
(trap '' TERM INT HUP; setsid sh -c 'trap "" TERM INT HUP; while :; do sleep 1; done') &
${waits}`

describe('the kill switch', () => {
  it.each([['--now'], ['--all']])('%s ends agents that will not hear, for good', async (flag) => {
    const yard = new Yard({ agent: deaf })
    const running = yard.start(yard.planArgs([story('one'), story('two')]))
    await begun(yard, 'one')
    await begun(yard, 'two')
    exits(await yard.ropewalk('stop', flag, '--because', 'enough'), 0)
    exits(await running.done, 3)
    expect(processesOf(yard.home)).toEqual([])
    expect(await yard.status()).toMatchObject({ word: 'stopped', reason: 'enough' })
    expect(await yard.eventsOf('DeliveryReopened')).toEqual([])
    expect((await yard.eventsOf('StepStarted')).filter(({ step }) => step.verb === 'CodeStory')).toHaveLength(2)
  })
})

describe('stop --all', () => {
  it('ends also what nobody drives', async () => {
    const yard = new Yard({ agent: deaf })
    const running = yard.start(yard.planArgs([story('one')]))
    await begun(yard, 'one')
    exits(await yard.ropewalk('pause', '--now'), 0)
    await running.done
    expect(exits(await yard.ropewalk('stop', '--all', '--because', 'enough'), 0).stdout).toMatch(/stopped/)
    expect(await yard.status()).toMatchObject({ word: 'stopped', reason: 'enough' })
    expect(processesOf(yard.home)).toEqual([])
  })
})

/** `two` begins, cannot go on, and is ended in the middle of it. */
async function pausedNow(yard: Yard): Promise<Said> {
  rmSync(join(yard.person, 'go'))
  const running = yard.start(['resume'])
  await begun(yard, 'two')
  expect(exits(await yard.ropewalk('pause', '--now'), 0).stdout).toMatch(/is being ended/)
  return await running.done
}

describe('a story that failed', () => {
  const config = { limits: { roundsPerAttempt: 1, attemptsPerStory: 1 } }

  it('with nobody there blocks the delivery; a retry with advice, or a skip, ends it well', async () => {
    const agent = `if grep -q 'try harder' "$said" || [ $ROPEWALK_STORY = good ]; then echo work > src/$ROPEWALK_STORY.txt; else echo BROKEN > src/bad.txt; fi`
    const yard = new Yard({ agent, config })
    const plan = [story('good'), story('bad'), story('after', { dependsOn: ['bad'] })]
    expect(exits(await yard.runPlan(plan), 2).stdout).toMatch(/failed: bad/)
    expect(exits(await yard.ropewalk('why', 'bad'), 0).stdout).toMatch(/BROKEN/)
    expect(yard.files()).toContain('src/good.txt')
    expect(exits(await yard.ropewalk('resume'), 2).stdout).toMatch(/ropewalk retry/)
    expect(exits(await yard.ropewalk('retry', 'after'), 1).stderr).toMatch(/depends on bad/)
    const again = exits(await yard.ropewalk('retry', 'bad', '--advice', 'try harder', '--resume'), 2)
    expect(yard.said('coder', 'bad', '2-1')).toMatch(/try harder/)
    expect(again.stdout).toMatch(/failed: after/)
    exits(await yard.ropewalk('skip', 'after', '--because', 'later', '--resume'), 0)
    expect((await yard.status()).stories.map((one) => one.word)).toEqual(['merged', 'merged', 'skipped'])
  })

  it('by an inspection can be waived by a human; by a check it cannot', async () => {
    const agent = `rm test/old.test.js; echo work > src/one.txt; [ $ROPEWALK_STORY = one ] || echo BROKEN > src/red.txt`
    const old = `import test from 'node:test'\ntest('old', () => {})\n`
    const yard = new Yard({ agent, config, files: { 'test/old.test.js': old } })
    exits(await yard.runPlan([story('one')]), 2)
    const [finding] = (await yard.status()).stories[0]!.findings
    expect(finding).toMatchObject({ source: 'inspection', rule: expect.stringMatching(/test/) })
    const waived = await yard.ropewalk('waive', 'one', finding!.fingerprint, '--because', 'it is obsolete', '--resume')
    exits(waived, 0)
    expect(yard.files()).not.toContain('test/old.test.js')
    expect((await yard.eventsOf('FindingWaived'))[0]).toMatchObject({ by: 'ada', because: 'it is obsolete' })
    const red = new Yard({ agent: 'echo BROKEN > src/red.txt', config })
    exits(await red.runPlan([story('two')]), 2)
    const [proof] = (await red.status()).stories[0]!.findings
    const refused = await red.ropewalk('waive', 'two', proof!.fingerprint, '--because', 'I like it')
    expect(exits(refused, 1).stderr).toMatch(/cannot be waived/)
  })
})

describe('money and limits', () => {
  it('a ceiling ends it with 4, before the turn that would break it; a higher one goes on', async () => {
    const agent = `echo work > src/$ROPEWALK_STORY.txt; echo '{"usd":0.6}' > "$ROPEWALK_RESULT"`
    const mine = { driver: 'command', command: ['./agent.sh'], reserveUsd: 0.5 }
    const yard = new Yard({ agent, config: { agents: { mine } } })
    const plan = [story('one'), story('two', { dependsOn: ['one'] })]
    expect(exits(await yard.runPlan(plan, '--max-usd', '1'), 4).stdout).toMatch(/ceiling/)
    expect(await yard.eventsOf('AgentStarted')).toHaveLength(1)
    expect(exits(await yard.ropewalk('resume'), 4).stdout).toMatch(/ceiling/)
    exits(await yard.ropewalk('resume', '--max-usd', '2'), 0)
    expect((await yard.status()).usd).toBeCloseTo(1.2)
    expect(exits(await yard.ropewalk('cost'), 0).stdout).toMatch(/1\.20/)
  })

  it('a rate limit is waited for, and costs no attempt', async () => {
    const agent = `
if [ -e "$HOME/limited" ]; then echo work > src/one.txt; exit 0; fi
: > "$HOME/limited"
echo "{\\"limit\\":{\\"kind\\":\\"rate-limit\\",\\"resetsAt\\":$(($(date +%s) * 1000 + 1500))}}" > "$ROPEWALK_RESULT"
exit 1`
    const yard = new Yard({ agent })
    exits(await yard.runPlan([story('one')]), 0)
    expect(await yard.eventsOf('AgentRefused')).toHaveLength(1)
    expect((await yard.status()).stories[0]).toMatchObject({ attempt: 1, round: 1 })
  })

  it('a base that is red already is not charged to the story', async () => {
    const test = (name: string, body: string) => `import test from 'node:test'\ntest('${name}', () => { ${body} })\n`
    const yard = new Yard({
      agent: `printf "import test from 'node:test'\\ntest('fresh', () => {})\\n" > test/fresh.test.js; echo x > src/one.txt`,
      config: { checks: { test: { run: 'node --test' } } },
      files: { 'test/red.test.js': test('red', "throw new Error('as ever')"), 'test/ok.test.js': test('ok', '') },
    })
    const run = exits(await yard.runPlan([story('one')]), 0)
    expect(run.stdout).toMatch(/red/)
    expect(await yard.status()).toMatchObject({ word: 'done-with-concerns', stories: [{ word: 'merged', round: 1 }] })
  })
})
