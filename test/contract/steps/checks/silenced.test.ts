import { expect, it } from 'vitest'
import { judged, wordsOf } from '../verdicts.ts'
import { check, openYard } from '../yard.ts'

/** Stands for a linter: it knows one mistake, a comment and a list of files to pass over. */
const lint = `import { readdirSync, readFileSync } from 'node:fs'
const ignored = JSON.parse(readFileSync('.lintrc.json', 'utf8')).ignore
for (const name of readdirSync('src').filter((one) => !ignored.includes(one))) {
  const lines = readFileSync('src/' + name, 'utf8').split('\\n')
  if (lines[0].includes('eslint-disable')) continue
  if (lines.some((line, at) => line === 'debugger' && !lines[at - 1].includes('eslint-disable'))) process.exit(1)
}
`
const sum = 'export const sum = (a, b) => a + b\n'
const files = { 'lint.mjs': lint, '.lintrc.json': '{ "ignore": [] }\n', 'src/sum.mjs': sum, 'src/tax.mjs': sum }

async function said(change: Record<string, string>, mayChange: string[] = []): Promise<string[]> {
  const yard = await openYard({
    files,
    stories: [{ id: 'one', mayChange }],
    script: [{ do: [{ write: change }] }],
    policy: { judges: ['sensitivity'], checks: [check({ name: 'lint', run: 'node lint.mjs', parser: 'exit-code' })] },
  })
  return wordsOf(await judged(yard)).filter((words) => !words.startsWith('note'))
}

const half = `${sum}export const half = (n) => n / 2\n`

it.each([
  ['a comment', { 'src/sum.mjs': `/* eslint-disable */\n${half}` }],
  ['a setting', { 'src/sum.mjs': half, '.lintrc.json': '{ "ignore": ["sum.mjs"] }\n' }],
])('a file that was checked is checked no more, by %s', async (_, change) => {
  expect(await said(change)).toEqual([
    'blocking: lint found mistakes in src/sum.mjs before the change, and finds the same ones no more',
  ])
})

it('tells of a new file that is not checked where others are', async () => {
  expect(await said({ 'src/half.mjs': `/* eslint-disable */\n${half}` })).toEqual([
    'suggestion: lint finds no mistake in src/half.mjs, which is new, although it finds the same in files beside it',
  ])
})

it('tells of a line where it is asked to look away', async () => {
  const change = { 'src/sum.mjs': `${sum}// eslint-disable-next-line no-debugger\nexport const a = 1\n` }
  expect(await said(change)).toEqual(['suggestion: src/sum.mjs:2 asks lint to look away'])
})

it.each([
  ['plain work', { 'src/sum.mjs': half }, []],
  ['other settings', { 'src/sum.mjs': half, '.lintrc.json': '{ "ignore": [], "more": 1 }\n' }, []],
  ['what was declared', { 'src/sum.mjs': `/* eslint-disable */\n${half}` }, ['src/sum.mjs']],
])('says nothing of %s', async (_, change, mayChange) => {
  expect(await said(change as Record<string, string>, mayChange)).toEqual([])
})
