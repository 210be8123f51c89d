import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { git } from '../contract/user-repository.ts'
import { exits, until } from './binary.ts'
import { processesOf } from './untouched.ts'
import { story, Yard } from './yard.ts'

const gone = (yard: Yard) => until(() => processesOf(yard.home).length === 0)

describe('the plan gate', () => {
  it('waits without a terminal, and goes on when approved', async () => {
    const yard = new Yard()
    const waiting = exits(await yard.runPlan([story('one')], '--gates', 'plan'), 2)
    expect(waiting.stdout).toMatch(/plan-1/)
    expect(yard.files()).not.toContain('src/one.txt')
    const status = await yard.status()
    expect(status).toMatchObject({ word: 'waiting', questions: [{ id: 'plan-1', kind: 'plan-gate' }] })
    exits(await yard.ropewalk('approve', '--resume'), 0)
    expect(yard.files()).toContain('src/one.txt')
    expect(exits(await yard.ropewalk('approve'), 1).stderr).toMatch(/no question is waiting for "approve"/)
    expect(exits(await yard.ropewalk('answer', 'plan-1', 'reject'), 1).stderr).toMatch(/already answered.*by ada/)
  })

  it('sends a plan back to the planner with the reason, and repairs one that is none', async () => {
    const yard = new Yard({ agent: planner })
    exits(await yard.ropewalk('run', 'Make it so', '--gates', 'plan'), 2)
    expect((await yard.eventsOf('PlanFaulted'))[0]?.problems.join()).toMatch(/depends on nowhere/)
    expect(yard.said('planner', '', '1-1')).toMatch(/depends on nowhere/)
    expect(exits(await yard.ropewalk('reject'), 1).stderr).toMatch(/--because/)
    exits(await yard.ropewalk('reject', '--because', 'Call it better', '--resume'), 2)
    expect(yard.said('planner', '', '1-2')).toMatch(/Call it better/)
    exits(await yard.ropewalk('approve', '--resume'), 0)
    expect(yard.files()).toContain('src/better.txt')
    expect(yard.files()).not.toContain('src/first.txt')
  })

  it('takes another plan instead of the one it asks about', async () => {
    const yard = new Yard()
    exits(await yard.runPlan([story('one')], '--gates', 'plan'), 2)
    const file = `${yard.person}/plan.yaml`
    yard.planArgs([story('other')])
    expect(exits(await yard.ropewalk('plan', '--set', file), 0).stdout).toMatch(/replaced/)
    expect(exits(await yard.ropewalk('resume'), 2).stdout).toMatch(/plan-2/)
    exits(await yard.ropewalk('approve', '--resume'), 0)
    expect(yard.files()).toContain('src/other.txt')
    expect(yard.files()).not.toContain('src/one.txt')
  })

  it('can be answered in the terminal, there and then', async () => {
    const yard = new Yard()
    const running = yard.startInTerminal(yard.planArgs([story('one')]))
    await until(() => /Story one/.test(running.printed()))
    // The first option is yes.
    await until(() => {
      running.child.stdin?.write('\r')
      return running.child.exitCode !== null
    })
    expect(exits(await running.done, 0).stdout).toMatch(/Merged to main: 1 story/)
    expect((await yard.eventsOf('QuestionAnswered'))[0]).toMatchObject({ option: 'approve', by: 'ada' })
  })
})

/** A dependency that is not there; then a plan; then, told why not, another. */
const planner = `
if [ "$ROPEWALK_ROLE" = coder ]; then echo work > "src/$ROPEWALK_STORY.txt"; exit; fi
if grep -q 'Call it better' "$said"; then echo '{"stories":[{"id":"better","title":"Better"}]}' > "$ROPEWALK_RESULT"
elif grep -q nowhere "$said"; then echo '{"stories":[{"id":"first","title":"First"}]}' > "$ROPEWALK_RESULT"
else echo '{"stories":[{"id":"first","title":"First","dependsOn":["nowhere"]}]}' > "$ROPEWALK_RESULT"
fi
`

describe('a story gate', () => {
  it('sends the work back with the words of the human, and merges what is approved', async () => {
    const agent = `if grep -q 'in capitals' "$said"; then echo WORK > src/one.txt; else echo work > src/one.txt; fi`
    const yard = new Yard({ agent })
    exits(await yard.runPlan([story('one')], '--gates', 'manual'), 2)
    exits(await yard.ropewalk('approve', '--resume'), 2)
    expect(exits(await yard.ropewalk('diff', 'one'), 0).stdout).toMatch(/^\+work$/m)
    exits(await yard.ropewalk('reject', 'one', '--because', 'Write it in capitals', '--resume'), 2)
    expect(yard.said('coder', 'one', '1-2')).toMatch(/Write it in capitals/)
    expect(exits(await yard.ropewalk('diff', 'one'), 0).stdout).toMatch(/^\+WORK$/m)
    exits(await yard.ropewalk('approve', '--resume'), 0)
    expect((await yard.status()).stories[0]).toMatchObject({ word: 'merged', attempt: 1, round: 2 })
  })
})

describe('another gate mode in the settings', () => {
  it('counts from `resume --repin` on, and where none is named the one of the delivery stays', async () => {
    const yard = new Yard()
    const named = (gates: string) =>
      yard.userActs((repo) => {
        const path = join(repo, 'ropewalk.yaml')
        writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), gates }))
        git(repo, 'commit', '-qam', `Gates are ${gates}`)
      })
    exits(await yard.runPlan([story('one')], '--gates', 'plan'), 2)
    exits(await yard.ropewalk('resume', '--repin'), 2)
    await named('manual')
    exits(await yard.ropewalk('approve'), 0)
    expect(exits(await yard.ropewalk('resume', '--repin'), 2).stderr).toMatch(/gates: manual from now on.*it was plan/)
    expect((await yard.status()).stories[0]).toMatchObject({ word: 'gated' })
    await named('auto')
    exits(await yard.ropewalk('resume', '--repin'), 0)
  })
})

describe('with somebody there', () => {
  it('an agent may ask, and goes on with the answer', async () => {
    const agent = `
if grep -q 'The answer: blue' "$said"; then echo blue > src/one.txt
else echo '{"question":{"text":"Which colour?","options":["red","blue"]}}' > "$ROPEWALK_RESULT"
fi`
    const yard = new Yard({ agent })
    const args = yard.planArgs([story('one')], '--gates', 'auto', '--detach')
    exits(await yard.startInTerminal(args).done, 0)
    const [question] = await until(async () => {
      const { questions } = await yard.status()
      return questions.length > 0 && questions
    })
    expect(question).toMatchObject({ kind: 'coder', text: 'Which colour?' })
    expect(exits(await yard.ropewalk('answer', question!.id, '2'), 0).stdout).toMatch(/Still running in process \d+/)
    await gone(yard)
    expect(await yard.status()).toMatchObject({ word: 'done-with-concerns', stories: [{ attempt: 1 }] })
  })

  it('an exhausted story asks, and takes advice or is left out', async () => {
    const agent = `
if grep -q 'Mend it like so' "$said"; then echo whole > "src/$ROPEWALK_STORY.txt"
else echo BROKEN > "src/$ROPEWALK_STORY.txt"
fi`
    const yard = new Yard({ agent, config: { limits: { roundsPerAttempt: 1, attemptsPerStory: 1 } } })
    const plan = [story('one'), story('two'), story('three', { dependsOn: ['two'] })]
    exits(await yard.startInTerminal(yard.planArgs(plan, '--gates', 'auto', '--detach')).done, 0)
    await until(async () => (await yard.status()).questions.length === 2)
    exits(await yard.ropewalk('retry', 'one', '--advice', 'Mend it like so'), 0)
    exits(await yard.ropewalk('skip', 'two', '--because', 'not needed'), 0)
    await gone(yard)
    const { word, stories } = await yard.status()
    expect([word, ...stories.map((one) => one.word)]).toEqual(['done-with-concerns', 'merged', 'skipped', 'skipped'])
    expect(yard.files()).not.toContain('src/two.txt')
  })
})
