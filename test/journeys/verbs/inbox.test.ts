import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { InboxItem } from '../../../src/views/inbox.ts'
import { exits, until } from '../binary.ts'
import { story, Yard } from '../yard.ts'

/** Two deliveries at their gates. */
async function twoWaiting(): Promise<{ yard: Yard; items: InboxItem[] }> {
  const yard = new Yard()
  exits(await yard.runPlan([story('one')], '--gates', 'plan'), 2)
  exits(await yard.runPlan([story('two')], '--gates', 'plan'), 2)
  return { yard, items: await yard.json<InboxItem[]>('inbox') }
}

describe('the inbox', () => {
  it('is empty before anything was asked', async () => {
    const yard = new Yard()
    expect(exits(await yard.ropewalk('inbox'), 0).stdout).toBe('Nothing waits for you.\n')
    expect(await yard.json('inbox')).toEqual([])
    expect(exits(await yard.ropewalk('inbox', '--form', '--answer', 'a.yaml'), 1).stderr).toMatch(
      /--form and --answer cannot be used together/,
    )
    expect(exits(await yard.ropewalk('inbox', '--resume'), 1).stderr).toMatch(/--resume continues what was answered/)
    expect(exits(await yard.ropewalk('inbox', '--form'), 0).stdout).toBe('answers: []\n')
  })

  it('shows the questions of all deliveries, with evidence and numbered options, and answers none', async () => {
    const { yard, items } = await twoWaiting()
    expect(items.map(({ question, evidence }) => [question.id, evidence])).toEqual([
      ['plan-1', ['two: Story two (complexity 3)']],
      ['plan-1', ['one: Story one (complexity 3)']],
    ])
    const { stdout } = exits(await yard.ropewalk('inbox'), 0)
    expect(stdout).toContain(`ropewalk answer plan-1 1 -d ${items[1]?.delivery}`)
    expect(stdout).toMatch(/1 approve: go ahead\n +2 reject: no, and say why/)
    expect(stdout).toContain('2 questions of 2 deliveries.')
    expect(await yard.json('inbox')).toEqual(items)
  })

  it('takes a number for an answer, with words, in one delivery of several', async () => {
    const { yard, items } = await twoWaiting()
    const older = items[1]!.delivery
    expect(exits(await yard.ropewalk('answer', 'plan-1', '7', '-d', older), 1).stderr).toMatch(
      /one of: 1 approve, 2 reject/,
    )
    expect(exits(await yard.ropewalk('answer', 'plan-1', '2', '-d', older), 1).stderr).toMatch(/needs a reason/)
    exits(await yard.ropewalk('answer', 'plan-1', '1', '-d', older, '--resume'), 0)
    expect(yard.files()).toContain('src/one.txt')
    expect(yard.files()).not.toContain('src/two.txt')
    expect((await yard.json<InboxItem[]>('inbox')).map(({ delivery }) => delivery)).toEqual([items[0]!.delivery])
  })

  it('takes all answers from a filled in form in one go, and goes on', async () => {
    const { yard } = await twoWaiting()
    const file = join(yard.person, 'answers.yaml')
    writeFileSync(file, exits(await yard.ropewalk('inbox', '--form'), 0).stdout)
    expect(exits(await yard.ropewalk('inbox', '--answer', file), 0).stdout).toBe('')
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('option:', 'option: 1'))
    exits(await yard.ropewalk('inbox', '--answer', file, '--resume'), 0)
    expect(yard.files()).toEqual(expect.arrayContaining(['src/one.txt', 'src/two.txt']))
    expect(exits(await yard.ropewalk('inbox', '--answer', file), 1).stderr).toMatch(/no open question is called plan-1/)
  })

  it('records nothing of a file in which one answer is wrong', async () => {
    const { yard, items } = await twoWaiting()
    const file = join(yard.person, 'answers.yaml')
    const entry = (item: InboxItem, option: string) => ({ delivery: item.delivery, question: 'plan-1', option })
    writeFileSync(file, JSON.stringify({ answers: [entry(items[0]!, 'approve'), entry(items[1]!, 'maybe')] }))
    expect(exits(await yard.ropewalk('inbox', '--answer', file), 1).stderr).toMatch(
      /"maybe" is not an answer to plan-1/,
    )
    expect(await yard.json('inbox')).toEqual(items)
    for (const [text, said] of [
      ['', /mapping/],
      ['answers: [{}]', /answers\.0\.delivery/],
    ] as const) {
      writeFileSync(file, text)
      expect(exits(await yard.ropewalk('inbox', '--answer', file), 1).stderr).toMatch(said)
    }
    expect(exits(await yard.ropewalk('inbox', '--answer', 'nowhere.yaml'), 1).stderr).toMatch(/does not exist/)
    expect(exits(await yard.ropewalk('inbox', '--ask'), 1).stderr).toMatch(/not a terminal/)
  })

  it('puts the questions one after the other in a terminal', async () => {
    const { yard } = await twoWaiting()
    const running = yard.startInTerminal(['inbox', '--ask'])
    await until(() => /two: Story two/.test(running.printed()))
    await until(() => {
      running.child.stdin?.write('\r')
      return running.child.exitCode !== null
    })
    expect(exits(await running.done, 0).stdout).toMatch(/2 answers recorded/)
    expect(await yard.json('inbox')).toEqual([])
  })
})
