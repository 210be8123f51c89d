import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { binary, exits, start } from '../binary.ts'
import { Yard } from '../yard.ts'

const story = { id: 'one', title: 'One', description: 'Make one', tests: 'characterisation' }

it('a home that cannot be written to is looked at, and says so to whoever would write', async () => {
  const yard = new Yard()
  exits(await yard.runPlan([story], '--gates', 'plan'), 2)
  const confined = ['--bind', '/', '/', '--dev', '/dev', '--ro-bind', yard.home, yard.home, process.execPath, binary]
  const there = (...args: string[]) =>
    start({ program: 'bwrap', args: [...confined, ...args], cwd: yard.repo, env: yard.env(), input: '' }).done
  const copies = () => readdirSync(tmpdir()).filter((name) => name.startsWith('ropewalk-log-'))
  const before = copies()
  for (const args of [
    ['status'],
    ['status', '--all'],
    ['report'],
    ['why', 'one'],
    ['log'],
    ['cost'],
    ['inbox'],
    ['replay'],
  ])
    exits(await there(...args), 0)
  expect(copies()).toEqual(before)
  for (const args of [['approve'], ['stop'], ['resume'], ['gc', '--yes']]) {
    const { stderr } = exits(await there(...args), 1)
    expect(stderr, args.join(' ')).toMatch(/cannot write|is not allowed here/)
    expect(stderr, args.join(' ')).toMatch(/make it writable|ROPEWALK_HOME/)
    expect(stderr, args.join(' ')).not.toMatch(/defect of/)
  }
})
