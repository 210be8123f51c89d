// What compilers keep between runs comes from the base alone.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { check } from '../yard.ts'
import { openConfined } from './rig.ts'

/** As a compiler does: the base makes what work finds there, and what work leaves there must not be found again. */
const build = `cache=$HOME/.cache/go-build
if test $(cat who) = base; then echo > $cache/made; exit; fi
if test -e $cache/stray; then echo what work has left is there; exit 1; fi
echo > $cache/stray && test -e $cache/made && test -s $cache/testexpire.txt`

it('is there for each run on work, without results of tests, and what is left there is seen by none', async () => {
  const script = [{ do: [{ write: { who: 'work' } }] }]
  const checks = [check({ run: 'sh ./build', parser: 'exit-code' })]
  const yard = await openConfined({ files: { who: 'base', build }, script, untried: true }, { checks })
  await yard.perform('TryBase')
  await yard.perform('CodeStory')
  for (const how of [{ lose: true }, { try: 2 }]) {
    const { ending } = await yard.perform('Judge', how)
    expect(ending, JSON.stringify(ending)).toMatchObject({ type: 'Judged', verdict: { status: 'passed' } })
  }
  expect(existsSync(join(yard.userHome, '.cache'))).toBe(false)
  const kept = readdirSync(yard.world.places.cleanFolder('d1')).filter((name) => name.startsWith('compiled-'))
  expect(kept).toHaveLength(1)
})
