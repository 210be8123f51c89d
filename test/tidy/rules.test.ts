import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { knownCommands, wrongCommands } from './commands.ts'
import { eventTypes, guideProblems, missingFromLock, unknownIn, unreadSettings, wrongDefaults } from './facts.ts'
import { avoidedNames, avoidedWords } from './glossary.ts'
import { moduleOf } from './module.ts'
import { barrels, importCycles, readRooms, wrongImports } from './rooms.ts'
import { scan } from './scan.ts'
import {
  deepFolders,
  overBudget,
  readBudgets,
  readSmallFolders,
  sharedNames,
  smallFiles,
  thinFolders,
} from './shape.ts'
import { fullFolders, functionsOf, longFiles, longFunctions, manyParameters } from './size.ts'
import { ambientUses, bannedPaths, domainWords, hiddenFirst, leftovers, strayCatches } from './words.ts'

// Each rule must be able to fail.

const one = (path: string, text: string) => [moduleOf(path, text)]
const lines = (count: number): string => 'x\n'.repeat(count)

describe('scan', () => {
  it.each([
    ['a line comment', 'a // Date\nb', 'a        \nb'],
    ['a block comment', 'a /* x */ b', 'a         b'],
    ['a string', `f('Date', "{")`, `f('    ', " ")`],
    ['an escaped quote', `'a\\'b' + c`, `'    ' + c`],
    ['a template', `\`x\${a + \`y\${b}\`}z\``, `\` \${a + \` \${b}\`} \``],
    ['a regular expression', 'a = /[/"]{/.test(b)', 'a = /     /.test(b)'],
    ['a division', 'a / b / c', 'a / b / c'],
    ['a regular expression after return', 'return /"/', 'return / /'],
  ])('blanks %s', (_, text, code) => {
    expect(scan(text).code).toBe(code)
  })

  it('keeps comments apart', () => {
    expect(scan("a // one\n/* two */ '// three'").comments).toEqual(['// one', '/* two */'])
  })
})

describe('rooms', () => {
  const rooms = readRooms(
    '| room | may import, besides std |\n|---|---|\n| delivery | nothing |\n| views, ports | delivery |\n| adapters/* | ports; never each other |\n| main | all |\n',
  )
  const problems = (path: string, target: string) =>
    wrongImports([...one(path, `import type { A } from '${target}'`)], rooms).filter(
      (text) => !text.includes('not there'),
    )

  it('are read from the table', () => {
    expect(() => readRooms('# no table')).toThrow()
    expect([...rooms.keys()]).toEqual(['std', 'delivery', 'views', 'ports', 'adapters', 'main'])
  })

  it.each([
    ['src/delivery/a.ts', '../views/b.ts'],
    ['src/delivery/a.ts', 'node:fs'],
    ['src/delivery/a.ts', 'zod'],
    ['src/views/a.ts', '../ports/b.ts'],
    ['src/views/a.ts', 'node:os'],
    ['src/ports/a.ts', '../main.ts'],
    ['src/ports/a.ts', '../delivery/b'],
    ['src/ports/a.ts', '../../test/b.ts'],
    ['src/adapters/git/a.ts', '../shell/b.ts'],
    ['src/std/a.ts', '../delivery/b.ts'],
    ['src/std/a.ts', 'zod'],
    ['src/lost/a.ts', '../std/b.ts'],
  ])('%s may not import %s', (path, target) => {
    expect(problems(path, target)).toHaveLength(1)
  })

  it.each([
    ['src/delivery/a.ts', '../std/b.ts'],
    ['src/delivery/a.ts', './plan/b.ts'],
    ['src/delivery/a.test.ts', 'vitest'],
    ['src/adapters/git/a.ts', './deep/b.ts'],
    ['src/main.ts', './adapters/git/b.ts'],
    ['src/std/a.ts', 'node:crypto'],
  ])('%s may import %s', (path, target) => {
    expect(problems(path, target)).toEqual([])
  })

  it('see every form of import, and none in a string or comment', () => {
    const text = `
      import a from './a.ts'
      import type { B } from "./b.ts"
      export * from './c.ts'
      const d = await import('./d.ts')
      type E = import('./e.ts').E
      import './f.ts'
      // import g from './g.ts'
      const h = "from './h.ts'"`
    expect(
      moduleOf('src/x.ts', text)
        .imports.map((path) => path.slice(4, 5))
        .sort(),
    ).toEqual([...'abcdef'])
  })

  it('name a file that is not there', () => {
    expect(wrongImports(one('src/views/a.ts', "import './b.ts'"), rooms)).toHaveLength(1)
  })

  it('show a cycle once', () => {
    const ring = [
      ...one('src/a.ts', "import type { B } from './b.ts'"),
      ...one('src/b.ts', "import './c.ts'"),
      ...one('src/c.ts', "import './a.ts'"),
      ...one('src/d.ts', "import './a.ts'"),
    ]
    expect(importCycles(ring)).toEqual(['src/a.ts -> src/b.ts -> src/c.ts -> src/a.ts'])
    expect(importCycles(ring.slice(0, 2))).toEqual([])
  })

  it.each([
    ["export * from './a.ts'\nexport { b } from './b.ts'\n", 1],
    ["// all of it\nimport { a } from './a.ts'\nexport { a }\n", 1],
    ["export type { A } from './a.ts'\n", 1],
    ["export { a } from './a.ts'\nexport const b = 1\n", 0],
    ["import './a.ts'\n", 0],
  ])('know a barrel: %j', (text, count) => {
    expect(barrels(one('src/a.ts', text))).toHaveLength(count)
  })
})

describe('size', () => {
  const body = lines(80)

  it('of files and folders', () => {
    expect(longFiles(one('a.ts', lines(401)))).toHaveLength(1)
    expect(longFiles(one('a.ts', lines(400)))).toEqual([])
    const paths = [...Array(16).keys()].map((index) => `src/a/${index}.ts`)
    expect(fullFolders(paths)).toHaveLength(1)
    expect(fullFolders(paths.slice(1))).toEqual([])
  })

  it.each([
    ['declared', `function f(a: string): Promise<void> {\n${body}}`],
    ['with an object as its result', `function f(a: string): { b: string } {\n${body}}`],
    ['method', `class A {\n  async f<T>(a: T) {\n${body}}\n}`],
    ['arrow', `const f = (a: string): void => {\n${body}}`],
    ['arrow with a value', `const f = () => ({\n${body}})`],
    ['arrow with one name', `const f = a => {\n${body}}`],
  ])('of a function: %s', (_, text) => {
    expect(longFunctions(one('a.ts', text))).toHaveLength(1)
  })

  it.each([
    ['an object', `const a = {\n${body}}`],
    ['a type', `interface A {\n${body}}`],
    ['a class', `class A extends B {\n${body}}`],
    ['a block at the top', `if (a) {\n${body}}`],
  ])('is not asked of %s', (_, text) => {
    expect(longFunctions(one('a.ts', text))).toEqual([])
  })

  it.each([
    ['function f(a, b, c, d) {}', 1],
    ['const f = (a: A<B, C>, b: string, c: () => void, d) => a', 1],
    ['const f = (a: A<B, C>, { b, c, d }: E, e = [1, 2]) => a', 0],
    ['class A { f(a, b, c, d): void {} }', 1],
    ['if (f(a, b, c, d)) {}', 0],
  ])('of a parameter list: %s', (text, count) => {
    expect(manyParameters(one('a.ts', text))).toHaveLength(count)
  })

  it('finds functions inside functions', () => {
    expect(functionsOf('function f() { const g = () => { h(function () {}) } }')).toHaveLength(3)
  })
})

describe('shape', () => {
  const paths = (folder: string, count: number) => [...Array(count).keys()].map((index) => `${folder}/${index}.ts`)

  it('of a room is within its budget', () => {
    const budgets = readBudgets(
      '| room | lines at most |\n|---|---:|\n| views | 1,000 |\n| main | 10 |\n| all | 1,005 |\n',
    )
    const rooms = (views: number, main: number) => [
      ...one('src/views/a/b.ts', lines(views)),
      ...one('src/main.ts', lines(main)),
      ...one('src/views/a.test.ts', lines(2_000)),
    ]
    expect(overBudget(rooms(999, 6), budgets)).toEqual([])
    expect(overBudget(rooms(1_000, 6), budgets)).toEqual(['all has 1006 lines, and ARCHITECTURE.md allows 1005'])
    expect(overBudget(rooms(900, 11), budgets)).toEqual(['main has 11 lines, and ARCHITECTURE.md allows 10'])
    expect(overBudget(one('src/lost/a.ts', 'x\n'), budgets)).toHaveLength(1)
    expect(() => readBudgets('| room | may import |')).toThrow()
  })

  it.each([
    ['export interface Seen {}', 'export type Seen = 1', 1],
    ['export async function seen() {}', 'export const seen = 1', 1],
    ['export abstract class Seen {}', 'export enum Seen { A }', 1],
    ['export function seen(a: 1): 1\nexport function seen(a: 2) {}', 'export const other = 1', 0],
    ['export const seen = 1', 'const seen = 1', 0],
    ['export const seen = 1', 'const a = `\nexport const seen = 1\n`', 0],
  ])('has each name once: %j and %j', (first, second, count) => {
    expect(sharedNames([...one('src/a/a.ts', first), ...one('src/b/b.ts', second)])).toHaveLength(count)
    expect(sharedNames([...one('src/a/a.ts', first), ...one('src/b/b.test.ts', second)])).toEqual([])
  })

  it('has no small file for one importer', () => {
    const uses = (path: string) => one(path, "import { a } from './a.ts'")
    const found = (size: number, ...others: string[]) =>
      smallFiles([...one('src/a/a.ts', lines(size)), ...uses('src/a/b.ts'), ...others.flatMap(uses)])
    expect(found(24)).toEqual([{ path: 'src/a/a.ts', importer: 'src/a/b.ts' }])
    expect(found(24, 'src/a/b.test.ts')).toHaveLength(1)
    expect(found(24, 'src/a/c.ts')).toEqual([])
    expect(found(25)).toEqual([])
  })

  it('has folders of three files, or says why not', () => {
    const named = readSmallFolders(
      '| small folder | why |\n|---|---|\n| `src/a/b` | it is a program |\n| `src/a/c` | |\n',
    )
    expect(named).toEqual(['src/a/b'])
    expect(thinFolders(paths('src/a/b', 2), [])).toEqual(['src/a/b has 2 files'])
    expect(thinFolders([...paths('src/a/b', 2), 'src/a/b/0.test.ts'], [])).toHaveLength(1)
    expect(thinFolders(paths('src/a/b', 2), named)).toEqual([])
    expect(thinFolders(paths('src/a/b', 3), [])).toEqual([])
    expect(thinFolders(paths('src/a/b', 3), named)).toHaveLength(1)
    expect(thinFolders(['src/main.ts', 'src/a/a.ts', 'src/adapters/b/a.ts'], [])).toEqual([])
  })

  it('has folders at most three deep', () => {
    expect(deepFolders(['src/a/b/c/d/e.ts'])).toEqual([])
    expect(deepFolders(['src/a/b/c/d/e/f.ts'])).toEqual(['src/a/b/c/d/e'])
  })
})

describe('words', () => {
  it.each([
    'src/utils.ts',
    'src/helpers/a.ts',
    'src/a/event-handler.ts',
    'src/types.ts',
    'src/a.v2.ts',
    'src/index.ts',
  ])('refuse %s', (path) => {
    expect(bannedPaths([path])).toHaveLength(1)
  })

  it.each(['new Date()', 'Math.random()', 'setTimeout(f, 1)', 'process.env.HOME', 'performance.now()'])(
    'keep %s out of the law, and let it be in an adapter',
    (text) => {
      expect(ambientUses(one('src/engine/a.ts', text))).toHaveLength(1)
      expect(ambientUses(one('src/adapters/x/a.ts', text))).toEqual([])
      expect(ambientUses(one('src/engine/a.ts', `// ${text}`))).toEqual([])
    },
  )

  it('see timers that are imported', () => {
    expect(ambientUses(one('src/engine/a.ts', "import { setTimeout as s } from 'node:timers/promises'"))).not.toEqual(
      [],
    )
  })

  it.each(['// TODO later', '/* FIXME */', '// see #12', '// as in decision 3'])('find %s', (text) => {
    expect(leftovers(one('src/a.ts', text))).toHaveLength(1)
  })

  it('let a string say it', () => {
    expect(leftovers(one('src/a.ts', "const a = '# TODO'"))).toEqual([])
  })

  it('find a catch, a word of ours in std, and a hidden function that comes first', () => {
    expect(strayCatches(one('src/views/a.ts', 'try { a() } catch { b() }'))).toHaveLength(1)
    expect(domainWords(one('src/std/a.ts', 'const storyOf = 1'))).toHaveLength(1)
    expect(domainWords(one('src/std/a.ts', 'const history = 1'))).toEqual([])
    expect(hiddenFirst(one('src/a.ts', 'function a() {}\nexport function b() {}'))).toHaveLength(1)
    expect(hiddenFirst(one('src/a.ts', 'export function b() {}\nfunction a() {}'))).toEqual([])
  })

  it('of the glossary are avoided', () => {
    const avoided = avoidedWords('| **delivery** | one requirement | (run), job, pipeline |\n')
    expect([...avoided.keys()]).toEqual(['job', 'pipeline'])
    expect(avoidedNames(one('src/a.ts', 'export interface JobState {}'), avoided)).toHaveLength(1)
    expect(avoidedNames(one('src/a.ts', "type E = { type: 'PipelineStarted' }"), avoided)).toHaveLength(1)
    expect(avoidedNames(one('src/a.ts', 'export interface RunState {}'), avoided)).toEqual([])
    expect(() => avoidedWords('nothing')).toThrow()
  })
})

describe('facts', () => {
  it('find an event that nobody knows', () => {
    const types = eventTypes("export type E = | { type: 'AMade'; a: 1 }\n | { type: 'BMade' }")
    expect(types).toEqual(['AMade', 'BMade'])
    expect(unknownIn(types, "switch (x) { case 'AMade': }")).toEqual(['BMade'])
    expect(unknownIn(types, 'const texts = { AMade: (event) => 1, BMade: () => 2 }')).toEqual([])
  })

  it.each([
    ['limits.agents', 'const a = policy.limits.agents', true],
    ['limits.agents', 'const { agents } = policyOf(state).limits', true],
    ['limits.agents', 'const a = policy.agents', false],
    ['limits.agents', '// limits.agents', false],
    ['agents.*.driver', 'const { driver } = agent', true],
    ['agents.*.driver', 'const driver = 1', false],
    ['agents.*.models.fast', 'agent.models[tier]', true],
    ['gates', 'policy.gates', true],
  ])('tell whether %s is read by %s', (key, text, isRead) => {
    expect(unreadSettings([key], one('src/engine/a.ts', text))).toEqual(isRead ? [] : [key])
    expect(unreadSettings([key], one('src/settings/a.ts', text))).toEqual([key])
  })

  it('compare the guide with the settings', () => {
    const guide = '| `a.<name>.b` | 1 | x |\n| `c` | | y |\n| `gone` | 2 | z |\n## The plan file\n| `id` | | |\n'
    expect(guideProblems(['a.*.b', 'c', 'd'], guide)).toEqual([
      'd is not in the guide',
      'the guide names gone, which does not exist',
      'the guide gives no default for c',
    ])
  })

  it.each([
    ['60000 (1 min)', 60_000, true],
    ['6', 60, false],
    ['`plan` in a terminal, `auto` without one', 'plan', true],
    ['`auto`', 'plan', false],
    ['`true`', true, true],
    ['`true`', false, false],
    ['`[blocking, important]`', ['blocking', 'important'], true],
    ['`read`, `search`', ['read', 'search', 'edit'], false],
    ['none', null, true],
    ['`null`', null, true],
    ['`auto`', null, false],
    ['3', [], false],
  ])('compare what the guide says, %s, with the default %j', (cell, value, isRight) => {
    expect(wrongDefaults({ 'a.*.b': value }, `| \`a.<name>.b\` | ${cell} |\n`)).toHaveLength(isRight ? 0 : 1)
  })
})

describe('the lock file', () => {
  it('is read for what it forgot', () => {
    const lock = (packages: object) => JSON.stringify({ packages })
    const wanting = { 'node_modules/a': { optionalDependencies: { '@a/linux': '1', '@a/darwin': '1' } } }
    expect(missingFromLock(lock({ ...wanting, 'node_modules/@a/linux': {} }))).toEqual([
      'node_modules/a wants @a/darwin',
    ])
  })
})

describe('commands', () => {
  const program = new Command('ropewalk')
  program.command('run').argument('[requirement]').option('-p, --plan <file>')
  program.command('say').argument('<word>').option('--now')
  program.command('skip').requiredOption('--because <reason>')
  const known = knownCommands(program, '{ "scripts": { "demo": "x", "test": "y" } }')
  const problems = (text: string) => wrongCommands([{ path: 'a.md', text }], known)

  it.each([
    '```sh\nropewalk run "all of it, --now" --plan plan.yaml   # a plan\nnpm ci && npm run demo\nnpm test\n```\n',
    'Say `ropewalk run` or `ropewalk --version`.',
    '```yaml\nropewalk: nothing\n```\n',
    'Leave it out with `ropewalk skip`.',
    'Say `ropewalk run -p plan.yaml "all of it"   (or not at all)`.',
  ])('pass: %j', (text) => {
    expect(problems(text)).toEqual([])
  })

  it.each([
    '```sh\nropewalk fly\n```\n',
    '```sh\n$ ropewalk run --fast\n```\n',
    '```sh\nropewalk run x --because y\n```\n',
    '```sh\nropewalk skip\n```\n',
    '```sh\nnpm ci && npm run deploy\n```\n',
    'Say `ropewalk walk`.',
    'Say `ropewalk skip dates`.',
    '```sh\nropewalk run make it so\n```\n',
    '```sh\nropewalk say --now\n```\n',
    `refuse(\`bring it back with \\\`ropewalk retry \${id}\\\`\`)`,
  ])('fail: %j', (text) => {
    expect(problems(text)).toHaveLength(1)
  })

  it('are told from templates in a script', () => {
    const script = moduleOf('src/a.ts', `const a = \`ropewalk lands \${b}\`\nconst c = 'say \`ropewalk walk\`'\n`)
    expect(wrongCommands([script], known)).toEqual(['src/a.ts: `ropewalk walk`: there is no such verb'])
  })
})
