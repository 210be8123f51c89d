import { expect, it } from 'vitest'
import { check, openYard } from '../yard.ts'

const body = (name: string) => `export function ${name}(text) {
  const words = text.trim().split(/\\s+/)
  const long = words.filter((word) => word.length > 3)
  return long.map((word) => word.toUpperCase()).join(' ')
}
`

it('a story that writes anew what is there is told so, and not held back', async () => {
  const yard = await openYard({
    files: { 'src/shout.js': body('shout') },
    stories: [{ id: 'one' }],
    script: [{ do: [{ write: { 'src/loud.js': body('loud'), 'src/other.js': 'export const other = 1\n' } }] }],
    policy: { judges: ['inspection'], checks: [check({ run: 'true' })] },
  })
  await yard.perform('CodeStory')
  const { ending } = await yard.perform('Judge')
  expect(ending).toMatchObject({
    verdict: {
      ...{ status: 'findings', failures: 0 },
      concerns: ['one: loud does the same as shout in src/shout.js:1: use that one'],
    },
  })
  await yard.due('ComposeLine')
})
