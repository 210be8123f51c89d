import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exits, until } from '../binary.ts'
import { processesOf } from '../untouched.ts'
import { story, Yard } from '../yard.ts'
import { type End, endOf, problemsOf } from './end.ts'
import { inOrder, type Row, resumed, undisturbed } from './matrix.ts'
import { plain, turns } from './walk.ts'

/** Chance that a failing test can repeat. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

describe('killed with -9 from outside', () => {
  it('at any moment, several times, it comes to the same end', async () => {
    const calm = await undisturbed(plain)
    const seeds = [1, 2, 3, 4, 5]
    const rows = await inOrder(seeds, 2, (seed) => killedAtRandom(seed, calm))
    expect(rows).toEqual(seeds.map((seed) => ({ point: `seed ${seed}`, turns: expect.any(Number), problems: [] })))
  })

  it('while an agent works: that one is gone before the next begins, and what it wrote is kept', async () => {
    const agent = `${turns}
echo "half of $ROPEWALK_STORY" > src/half.txt
echo begun >> "$HOME/begun"
while [ ! -e "$HOME/go" ]; do sleep 0.05; done
rm -f src/half.txt; echo work > src/one.txt`
    const yard = new Yard({ agent })
    const begun = (times: number) => until(() => countLines(join(yard.person, 'begun')) === times)
    const running = yard.start(yard.planArgs([story('one')]))
    await begun(1)
    running.child.kill('SIGKILL')
    await running.done
    const second = yard.start(['resume'])
    await begun(2)
    expect(existsSync(join(yard.person, 'overlaps'))).toBe(false)
    writeFileSync(join(yard.person, 'go'), '')
    exits(await second.done, 0)
    const archived = await yard.eventsOf('WorkArchived')
    expect(archived.map(({ reason }) => reason)).toContain('in the workspace when the turn began')
    expect(yard.files()).not.toContain('src/half.txt')
    const end = await endOf(yard)
    expect(await problemsOf(yard, end, end)).toEqual([])
  })
})

const countLines = (path: string): number => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0)

/** After so many lines of its output and a little more: how far it is does not depend on how busy the machine is. */
async function killedAtRandom(seed: number, calm: End): Promise<Row> {
  const chance = seeded(seed)
  const yard = plain.open()
  for (const args of [plain.args, ['resume'], ['resume']]) {
    const running = yard.start(args)
    const lines = 1 + Math.floor(chance() * (args === plain.args ? 12 : 6))
    const extraMs = chance() * 150
    const ended = running.done.then(() => true)
    await Promise.race([ended, until(() => running.printed().split('\n').length > lines)])
    await Promise.race([ended, new Promise((go) => setTimeout(go, extraMs))])
    running.child.kill('SIGKILL')
    await running.done
  }
  return await resumed(yard, plain, { point: `seed ${seed}`, calm })
}

describe('an agent that kills us', () => {
  it('each time makes it give up after three, by itself; another delivery goes on', async () => {
    const agent = `if [ $ROPEWALK_STORY = killer ]; then kill -9 $PPID; sleep 600; fi; echo work > "src/$ROPEWALK_STORY.txt"`
    const yard = new Yard({ agent })
    const killed = yard.start(yard.planArgs([story('killer'), story('after', { dependsOn: ['killer'] })]))
    expect((await killed.done).signal).toBe('SIGKILL')
    const { delivery } = await yard.status()
    for (const _ of [2, 3]) expect((await yard.ropewalk('resume', delivery)).signal).toBe('SIGKILL')
    const gaveUp = exits(await yard.ropewalk('resume', delivery), 1)
    expect(gaveUp.stdout).toMatch(/crashed[\s\S]*died 3 times during CodeStory of killer/)
    expect(processesOf(yard.home)).toEqual([])
    exits(await yard.runPlan([story('good')]), 0)
    expect(yard.files()).toContain('src/good.txt')
    const all = await yard.json<{ delivery: string; word: string }[]>('status', '--all')
    expect(all.map((one) => one.word).sort()).toEqual(['crashed', 'done-with-concerns'])
    expect(exits(await yard.ropewalk('log', '--verify', '-d', delivery), 0).stdout).toMatch(/intact/)
  })
})
