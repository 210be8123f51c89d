import { expect, it } from 'vitest'
import { judged } from '../verdicts.ts'
import { check, openYard } from '../yard.ts'

const runner = `echo "not ok 1 - ancient
  ---
  location: old.test.js:1:1
  ...
ok 2 - holds
1..2"; exit 1
`

it.each([
  [null, 'the base is red: ancient'],
  ['base', 'the base is red: ancient (ropewalk regress says since which commit, and whether it was one of ours)'],
])('a red base in which our landing is %s says: %s', async (landed, concern) => {
  const yard = await openYard({
    files: { 'run.sh': runner },
    stories: [{ id: 'one' }],
    script: [{ do: [{ write: { 'b.txt': 'b' } }] }],
    policy: { judges: ['check:test'], checks: [check({ run: 'sh run.sh' })] },
  })
  const to = landed === null ? 'f'.repeat(40) : (await yard.state()).request!.base
  const events = [{ at: 1, actor: 'test', cause: null, event: { type: 'Landed', step: 's', from: to, to } as const }]
  await yard.log.append({ delivery: 'another', expected: 0, events, fence: null, slots: [] })
  expect(await judged(yard)).toMatchObject({ concerns: expect.arrayContaining([concern]) })
})
