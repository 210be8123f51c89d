import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { prompts } from './sections.ts'

it('the guide names every prompt with its isolation', () => {
  const guide = readFileSync(new URL('../../../docs/guides/judgement/prompts.md', import.meta.url), 'utf8')
  const rows = [...guide.matchAll(/^\| `([\w-]+)` \| (\w+) \|/gm)].map(([, name, isolation]) => [name, isolation])
  expect(rows).toEqual(Object.entries(prompts).map(([name, { isolation }]) => [name, isolation]))
})
