// Repositories that are not as one would wish: a clear outcome for each, and honest work goes through.
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { git, temporaryFolder } from '../../../contract/user-repository.ts'
import { exits } from '../../binary.ts'
import { type Given, story, Yard } from '../../yard.ts'

const manifest = (test: string): string => JSON.stringify({ name: 'shop', type: 'module', scripts: { test } })
const imports = "import assert from 'node:assert/strict'\nimport test from 'node:test'\n"
const sum = 'export const sum = (a, b) => a + b\n'
const product = 'export const product = (a, b) => a * b\n'
const npmTest = { checks: { test: { run: 'npm test' } } }

const writes = (files: Record<string, string>): string =>
  Object.entries(files)
    .map(([path, text]) => `mkdir -p "$(dirname ${path})"; cat > ${path} <<'END'\n${text}END`)
    .join('\n')

async function lands(given: Given, world: (repo: string) => unknown = () => {}): Promise<Yard> {
  const yard = new Yard(given)
  await yard.userActs(world)
  exits(await yard.runPlan([story('one')], '--unattended'), 0)
  const told = (await yard.eventsOf('Judged')).flatMap(({ verdict }) =>
    verdict.status === 'findings' ? verdict.findings : [],
  )
  expect(told.filter(({ severity }) => severity === 'blocking')).toEqual([])
  return yard
}

describe('honest work lands', () => {
  it('in a repository without tests', async () => {
    const yard = await lands({
      files: { 'src/sum.js': sum },
      agent: writes({ 'src/product.js': product }),
      config: {
        checks: { build: { run: 'for file in src/*.js; do node --check $file || exit 1; done', parser: 'exit-code' } },
      },
    })
    expect(yard.files()).toContain('src/product.js')
  })

  it('beside tests that cannot run alone, because something has to be made for them first', async () => {
    const body = (name: string, more: string): string =>
      `${imports}import { readFileSync } from 'node:fs'\nimport { ${name} } from '../src/${name}.js'\n` +
      `const [a, b] = JSON.parse(readFileSync('made.json', 'utf8'))\ntest('${name}', () => assert.equal(${name}(a, b), ${more}))\n`
    await lands({
      files: {
        '.gitignore': 'made.json\n',
        'package.json': manifest('node make.js && node --test test/'),
        'make.js': "import { writeFileSync } from 'node:fs'\nwriteFileSync('made.json', '[2, 3]')\n",
        'src/sum.js': sum,
        'test/sum.test.js': body('sum', '5'),
      },
      agent: writes({ 'src/product.js': product, 'test/product.test.js': body('product', '6') }),
      config: npmTest,
    })
  })

  it('beside links and submodules in folders for tests', async () => {
    const theirs = temporaryFolder()
    git(theirs, 'init', '-q', '-b', 'main')
    writeFileSync(join(theirs, 'data.txt'), 'theirs\n')
    git(theirs, 'add', '-A')
    git(theirs, 'commit', '-qm', 'Data')
    const test = (name: string): string =>
      `${imports}import { ${name} } from '../src/${name}.js'\ntest('${name}', () => assert.equal(${name}(2, 3), ${name === 'sum' ? 5 : 6}))\n`
    const given = {
      files: { 'package.json': manifest('node --test'), 'src/sum.js': sum, 'test/sum.test.js': test('sum') },
      agent: `${writes({ 'src/product.js': product, 'test/product.test.js': test('product') })}
ln -sfn ../src test/fresh`,
      config: npmTest,
    }
    await lands(given, (repo) => {
      symlinkSync('../src', join(repo, 'test/lib'))
      symlinkSync('sum.test.js', join(repo, 'test/again.test.js'))
      git(repo, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', theirs, 'test/data')
      git(repo, 'add', '-A')
      git(repo, 'commit', '-qm', 'Links, and data of others')
    })
  })

  it('on a library for testing, whose folder for tests is its product', async () => {
    const near = 'export const near = (a, b) => Math.abs(a - b) < 1\n'
    const far = 'export const far = (a, b) => Math.abs(a - b) > 9\n'
    const test = (name: string, more: string): string =>
      `${imports}import { ${name} } from '../src/testing/assertions.js'\ntest('${name}', () => { ${more} })\n`
    await lands({
      files: {
        'package.json': JSON.stringify({
          ...{ name: 'closeness', type: 'module', exports: { './testing': './src/testing/assertions.js' } },
          scripts: { test: 'node --test spec/' },
        }),
        'src/testing/assertions.js': near,
        'spec/near.test.js': test('near', 'assert.ok(near(1, 1.5)); assert.ok(!near(1, 2))'),
      },
      agent: writes({
        'src/testing/assertions.js': `${near}${far}`,
        'spec/far.test.js': test('far', 'assert.ok(far(1, 20)); assert.ok(!far(1, 10))'),
      }),
      config: npmTest,
    })
  })
})

describe('a check that needs more than its place', () => {
  const config = (needs: string[]) => ({
    sandbox: 'bwrap',
    checks: { test: { run: 'cat "$HOME/settings.json"', parser: 'exit-code', needs } },
  })

  it('is told how it gets that, and is charged to nobody', async () => {
    const yard = new Yard({ config: config([]) })
    writeFileSync(join(yard.person, 'settings.json'), '{}')
    const said = await yard.runPlan([story('one')], '--unattended')
    expect(said.code).not.toBe(0)
    expect(said.stdout + said.stderr).toMatch(/checks\.test\.needs: \[home\]/)
    expect((await yard.status()).stories).toMatchObject([{ turns: 0 }])
  })

  it('passes once it has it', async () => {
    const yard = new Yard({ config: config(['home']) })
    writeFileSync(join(yard.person, 'settings.json'), '{}')
    exits(await yard.runPlan([story('one')], '--unattended'), 0)
  })
})
