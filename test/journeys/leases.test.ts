// What workspaces and places take of the machine, and what is left of that.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exits } from './binary.ts'
import { story, Yard } from './yard.ts'

const files = { '.gitignore': 'deps\n' }
/** Three megabytes in every place. */
const setup = { run: 'mkdir -p deps && head -c 3000000 /dev/urandom > deps/large', reads: ['README.md'] }
const work = 'echo work > "src/$ROPEWALK_STORY.txt"'

describe('a quota', () => {
  it('into which two stories fit only one after the other lets both land, and is kept', async () => {
    const measure =
      'du -ck $HOME/../home/workspaces $HOME/../home/places $HOME/../home/pools 2>/dev/null | tail -1 >> $HOME/used'
    const config = { setup, workspace: { quotaMb: 8 } }
    const yard = new Yard({ files, config, agent: `${measure}\n${work}\nsleep 1` })
    exits(await yard.runPlan([story('one'), story('two')]), 0)
    expect(yard.files()).toEqual(expect.arrayContaining(['src/one.txt', 'src/two.txt']))
    expect(await yard.eventsOf('StepFailed')).toEqual([])
    expect(readFileSync(join(yard.person, 'turns'), 'utf8').trim().split('\n').sort()).toEqual(['one', 'two'])
    const used = [...readFileSync(join(yard.person, 'used'), 'utf8').matchAll(/^\d+/gm)].map(Number)
    expect(Math.max(...used)).toBeLessThan(8_000_000 / 1024)
  })
})
