import { describe, expect, it } from 'vitest'
import { historyFacts, type PastChange, staticFacts } from './repository-facts.ts'

const textsOf = (facts: { about: string; text: string }[]) =>
  Object.fromEntries(facts.map(({ about, text }) => [about, text]))

describe('what files say', () => {
  it('is languages, layout, commands, tests and rules', () => {
    const files = ['src/a.ts', 'src/a.test.ts', 'src/b.ts', 'test/all.test.ts', 'tools/x.py', 'AGENTS.md', 'biome.json']
    const manifest = { scripts: { test: 'vitest', build: 'tsc' }, dependencies: { zod: '4' } }
    const facts = staticFacts(
      [...files, 'node_modules/x/index.js', 'packages/a/package.json'],
      new Map([['package.json', JSON.stringify(manifest)]]),
    )
    expect(textsOf(facts)).toEqual({
      languages: 'TypeScript (4 files); Python (1 file)',
      layout: 'src/ (3); packages/ (1); test/ (1); tools/ (1)',
      packages: 'packages/a/package.json',
      commands: 'scripts of package.json: test, build',
      'depends on': 'zod',
      tests: '1 beside their sources, such as src/a.test.ts; 1 in folders of their own: test/',
      'rules in': 'AGENTS.md',
      tools: 'biome.json',
    })
  })

  it('is nothing where there is nothing, or where it cannot be read', () => {
    expect(staticFacts([], new Map())).toEqual([])
    expect(staticFacts([], new Map([['package.json', '{"scripts": [']]))).toEqual([])
    expect(staticFacts([], new Map([['package.json', '{"scripts": "x", "dependencies": null}']]))).toEqual([])
  })

  it('cannot move a cursor, nor be endless', () => {
    const files = Array.from({ length: 200 }, (_, index) => `\x1b[2J${'x'.repeat(80)}${index}/a.ts`)
    for (const { text } of staticFacts(files, new Map())) {
      expect(text).not.toMatch(/\x1b/)
      expect(text.length).toBeLessThanOrEqual(400)
    }
  })
})

const change = (subject: string, ...files: string[]): PastChange => ({ author: 'Ada', subject, files })

describe('what commits say', () => {
  it('is what changes often, what changes together, what had to be mended', () => {
    const pair = Array.from({ length: 4 }, (_, index) => change(`Mend the ${index}`, 'api.ts', 'client.ts'))
    const sweeping = change(
      'Format all',
      ...Array.from({ length: 30 }, (_, index) => `f${index}.ts`),
      'api.ts',
      'other.ts',
    )
    const facts = textsOf(historyFacts([...pair, sweeping, sweeping, sweeping, change('Revert "Format all"', 'a.ts')]))
    expect(facts['change together']).toBe('api.ts with client.ts (4 times)')
    expect(facts['change often']).toMatch(/^api\.ts \(7 times\); client\.ts \(4 times\)/)
    expect(facts['mended often']).toBe('api.ts (4 times); client.ts (4 times)')
    expect(facts['taken back']).toBe('Revert "Format all"')
    expect(facts.activity).toBe('the last 8 commits are by 1 author')
  })

  it('tells how messages are written', () => {
    expect(textsOf(historyFacts([change('feat(ui): a'), change('fix: b'), change('feat: c')]))['commit messages']).toBe(
      'a type and a colon first (feat, fix)',
    )
    expect(textsOf(historyFacts([change('Let it be')]))['commit messages']).toBe(
      'plain sentences of about 9 characters, such as "Let it be"',
    )
  })

  it('is nothing before the first commit', () => {
    expect(historyFacts([])).toEqual([])
  })
})
