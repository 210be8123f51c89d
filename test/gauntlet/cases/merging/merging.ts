// Two stories that touch the same thing: a proper resolution, or a clear stop, and never a silently wrong merge.
import { expect } from 'vitest'
import type { Case } from '../../case.ts'

const price = (line: string) => `export const price = 1\n${line}\nexport const currency = 'EUR'\n`
const pair = [{ id: 'first' }, { id: 'second' }]
/** In order, so that it is the second which meets the conflict; it gets one more round to solve it. */
const inOrder = { limits: { agents: 1, roundsPerAttempt: 2 } }

/** What each story does, and what the second does when it is told of a conflict. */
const agents = (first: string, second: string, solve: string) => `
if [ "$ROPEWALK_STORY" = first ]; then ${first}
elif [ "$ROPEWALK_ROUND" = 1 ]; then ${second}
else ${solve}; fi`

const lines = agents(
  `sed -i "s/tax = .*/tax = 'first'/" shop.js`,
  `sed -i "s/tax = .*/tax = 'second'/" shop.js`,
  `printf "%s" "export const price = 1\nexport const tax = 'first and second'\nexport const currency = 'EUR'\n" > shop.js`,
)
const shop = { 'shop.js': price("export const tax = 'none'") }

const conflict = (name: string, more: Omit<Case, 'code' | 'name'>): Case => ({
  code: 'FF1',
  name,
  stories: pair,
  ...more,
  settings: { check: 'true', parser: 'exit-code', ...inOrder, ...more.settings },
})

const manifest = (dependencies?: object): string =>
  `${JSON.stringify({ name: 'shop', version: '1.0.0', dependencies }, null, 2)}\n`
const lock = { name: 'shop', version: '1.0.0', lockfileVersion: 3, requires: true, packages: { '': { name: 'shop' } } }
const parts: Case['files'] = {
  'package.json': manifest(),
  'package-lock.json': `${JSON.stringify(lock, null, 2)}\n`,
  'x/package.json': `${JSON.stringify({ name: 'x', version: '1.0.0' })}\n`,
  'y/package.json': `${JSON.stringify({ name: 'y', version: '1.0.0' })}\n`,
}
const depends = (name: string): string =>
  `npm install --package-lock-only --ignore-scripts --no-audit --no-fund --offline ./${name} > /dev/null`

export const merging: Case[] = [
  conflict('the same line, solved by the agent', {
    expect: 'passes',
    files: shop,
    agent: lines,
    after: ({ git }) => expect(git('show', 'main:shop.js')).toContain("'first and second'"),
  }),
  conflict('the same line, and the conflict is left in the file', {
    expect: 'caught',
    files: shop,
    agent: agents(
      `sed -i "s/tax = .*/tax = 'first'/" shop.js`,
      `sed -i "s/tax = .*/tax = 'second'/" shop.js`,
      'echo "I see no problem" > notes.md',
    ),
    spares: ['first'],
    names: /shop\.js/,
  }),
  conflict('the same line, and the agent gives up', {
    expect: 'caught',
    files: shop,
    agent: agents(
      `sed -i "s/tax = .*/tax = 'first'/" shop.js`,
      `sed -i "s/tax = .*/tax = 'second'/" shop.js`,
      'echo "I do not know which" >&2; exit 9',
    ),
    settings: { limits: { agents: 1, mergesPerStory: 1 } },
    spares: ['first'],
    names: /conflict.*shop\.js/,
  }),
  conflict("the same line, and the agent throws the other's work away, which the other's test sees", {
    expect: 'caught',
    files: shop,
    settings: { check: 'node --test', parser: 'auto' },
    agent: agents(
      `sed -i "s/tax = .*/tax = 'first'/" shop.js; cat > test/tax.test.js <<'TEST'
import assert from 'node:assert/strict'
import test from 'node:test'
import { tax } from '../shop.js'

test('there is a tax', () => {
  assert.match(tax, /first/)
})
TEST`,
      `sed -i "s/tax = .*/tax = 'second'/" shop.js`,
      `printf "%s" "export const price = 1\nexport const tax = 'second'\nexport const currency = 'EUR'\n" > shop.js`,
    ),
    spares: ['first'],
    names: /there is a tax/,
  }),
  conflict('other lines of the same file', {
    expect: 'passes',
    agent: agents(`sed -i 's/price = 1/price = 2/' shop.js`, `sed -i 's/EUR/USD/' shop.js`, 'exit 9'),
    settings: { limits: { agents: 1 } },
    files: {
      'shop.js': `export const price = 1\n${'\n'.repeat(8)}export const tax = 0\n${'\n'.repeat(8)}export const currency = 'EUR'\n`,
    },
    after: ({ git }) => expect(git('show', 'main:shop.js')).toMatch(/price = 2[\s\S]*USD/),
  }),
  conflict('the same JSON file', {
    expect: 'passes',
    files: { 'data.json': '{\n  "a": 1\n}\n' },
    settings: { check: `node -e 'JSON.parse(require("fs").readFileSync("data.json", "utf8"))'` },
    agent: agents(
      `printf '{\\n  "a": 1,\\n  "first": 1\\n}\\n' > data.json`,
      `printf '{\\n  "a": 1,\\n  "second": 2\\n}\\n' > data.json`,
      `printf '{\\n  "a": 1,\\n  "first": 1,\\n  "second": 2\\n}\\n' > data.json`,
    ),
    after: ({ git }) => expect(JSON.parse(git('show', 'main:data.json'))).toEqual({ a: 1, first: 1, second: 2 }),
  }),
  conflict('a rename against an edit', {
    expect: 'passes',
    files: shop,
    agent: agents('git mv shop.js store.js', `sed -i "s/tax = .*/tax = 'second'/" shop.js`, `exit 9`),
    after: ({ git }) => {
      expect(git('ls-tree', '--name-only', 'main')).not.toContain('shop.js')
      expect(git('show', 'main:store.js')).toContain("'second'")
    },
  }),
  conflict('a deletion against an edit, decided by the agent', {
    expect: 'passes',
    files: shop,
    agent: agents(
      'rm shop.js',
      `sed -i "s/tax = .*/tax = 'second'/" shop.js`,
      `rm -f shop.js; echo 'tax moved' > notes.md`,
    ),
    after: ({ git }) => expect(git('ls-tree', '--name-only', 'main')).not.toContain('shop.js'),
  }),
  conflict('a deletion against an edit, not decided', {
    expect: 'caught',
    files: shop,
    settings: { limits: { agents: 1, mergesPerStory: 1 } },
    agent: agents('rm shop.js', `sed -i "s/tax = .*/tax = 'second'/" shop.js`, 'exit 9'),
    spares: ['first'],
    names: /conflict.*shop\.js/,
  }),
  conflict('a changed mode and an edit', {
    expect: 'passes',
    files: shop,
    agent: agents('chmod +x shop.js', `sed -i "s/tax = .*/tax = 'second'/" shop.js`, 'exit 9'),
    after: ({ git }) => {
      expect(git('ls-tree', 'main', 'shop.js')).toMatch(/^100755/)
      expect(git('show', 'main:shop.js')).toContain("'second'")
    },
  }),
  conflict('the same picture', {
    expect: 'caught',
    files: { 'logo.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]) },
    agent: agents(`printf '\\211PNG\\000first' > logo.png`, `printf '\\211PNG\\000second' > logo.png`, 'true'),
    spares: ['first'],
    names: /logo\.png/,
  }),
  conflict('both add the same file, with other contents', {
    expect: 'caught',
    settings: { limits: { agents: 1, mergesPerStory: 1 } },
    agent: agents('echo first > notes.md', 'echo second > notes.md', 'true'),
    spares: ['first'],
    names: /conflict.*notes\.md/,
  }),
  conflict('both add the same file, with the same contents', {
    expect: 'passes',
    agent: agents('echo same > notes.md; echo 1 > one.md', 'echo same > notes.md; echo 2 > two.md', 'exit 9'),
  }),
  conflict('the same picture, changed alike', {
    expect: 'passes',
    files: { 'logo.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]) },
    agent: agents(
      `printf '\\211PNG\\000both' > logo.png; echo 1 > one.md`,
      `printf '\\211PNG\\000both' > logo.png; echo 2 > two.md`,
      'exit 9',
    ),
  }),
  conflict('names that differ only in case', {
    expect: 'caught',
    settings: { limits: { agents: 1, mergesPerStory: 1 } },
    agent: agents('echo first > notes.md', 'echo second > Notes.md', 'exit 9'),
    spares: ['first'],
    names: /[Nn]otes\.md/,
  }),
  conflict('the same lock file, made anew by its tool', {
    expect: 'passes',
    files: parts,
    agent: agents(`${depends('x')}`, `${depends('y')}`, 'exit 9'),
    after: ({ git }) => {
      expect(JSON.parse(git('show', 'main:package.json')).dependencies).toEqual({ x: 'file:x', y: 'file:y' })
      const { packages } = JSON.parse(git('show', 'main:package-lock.json'))
      expect(packages[''].dependencies).toEqual({ x: 'file:x', y: 'file:y' })
      expect(Object.keys(packages)).toEqual(expect.arrayContaining(['node_modules/x', 'node_modules/y']))
    },
  }),
  conflict('the same lock file, of packages that do not go together', {
    expect: 'caught',
    files: parts,
    settings: {
      limits: { agents: 1, mergesPerStory: 1 },
      check: `node -e 'const n = Object.keys(JSON.parse(require("fs").readFileSync("package-lock.json", "utf8")).packages); if (n.includes("node_modules/x") && n.includes("node_modules/y")) throw new Error("x and y exclude each other")'`,
    },
    agent: agents(`${depends('x')}`, `${depends('y')}`, 'exit 9'),
    spares: ['first'],
    names: /second {2}check:test on the line/,
  }),
  conflict('two new names for the same file', {
    expect: 'caught',
    files: shop,
    settings: { limits: { agents: 1, mergesPerStory: 1 } },
    agent: agents('git mv shop.js store.js', 'git mv shop.js market.js', 'exit 9'),
    spares: ['first'],
    names: /conflict.*(?:shop|store|market)\.js/,
  }),
]
