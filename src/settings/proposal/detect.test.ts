import { describe, expect, it } from 'vitest'
import { loadSettings } from '../load.ts'
import { detectStack, type RootFiles } from './detect.ts'
import { renderConfig } from './render.ts'

const manifest = (scripts: Record<string, string>, rest: object = {}): string => JSON.stringify({ scripts, ...rest })

describe('detectStack', () => {
  it('finds scripts of a node package and how to install it', () => {
    const files = {
      'package.json': manifest({ test: 'node --test', lint: 'eslint .' }, { devDependencies: { eslint: '1' } }),
      'package-lock.json': '',
    }
    expect(detectStack(files)).toEqual({
      stacks: ['node'],
      setup: 'npm ci',
      checks: [
        { name: 'lint', run: 'npm run lint', fix: 'npm run lint -- --fix' },
        { name: 'test', run: 'npm test', fix: null },
      ],
    })
  })

  it('does not take the placeholder of npm init for a test', () => {
    const files = { 'package.json': manifest({ test: 'echo "Error: no test specified" && exit 1' }) }
    expect(detectStack(files)).toEqual({ stacks: ['node'], setup: null, checks: [] })
  })

  it.each<[string, RootFiles, string[], string | null]>([
    [
      'pnpm',
      { 'package.json': manifest({ test: 'x' }, { dependencies: { a: '1' } }), 'pnpm-lock.yaml': '' },
      ['pnpm test'],
      'pnpm install --frozen-lockfile',
    ],
    [
      'yarn',
      { 'package.json': manifest({ test: 'x' }, { dependencies: { a: '1' } }), 'yarn.lock': '' },
      ['yarn test'],
      'yarn install --frozen-lockfile',
    ],
    ['python with pytest', { 'pyproject.toml': '[tool.pytest.ini_options]' }, ['python -m pytest'], null],
    ['python without', { 'setup.py': '' }, [], null],
    ['go', { 'go.mod': '' }, ['go vet ./...', 'go test ./...'], null],
    ['rust', { 'Cargo.toml': '' }, ['cargo test'], null],
    ['a Makefile', { Makefile: 'test: build\n\tx\n' }, ['make test'], null],
    ['a Makefile that only assigns', { Makefile: 'test := x\n' }, [], null],
    ['a broken package.json', { 'package.json': '{' }, [], null],
    ['nothing', {}, [], null],
  ])('%s', (_, files, commands, setup) => {
    const detected = detectStack(files)
    expect(detected.checks.map((check) => check.run)).toEqual(commands)
    expect(detected.setup).toBe(setup)
  })

  it('keeps the checks of two stacks apart', () => {
    const files = { 'package.json': manifest({ test: 'x' }), 'go.mod': '' }
    expect(detectStack(files).checks.map((check) => check.name)).toEqual(['test', 'vet', 'go-test'])
  })
})

describe('renderConfig', () => {
  it.each<[string, RootFiles]>([
    ['nothing known', {}],
    ['a node package', { 'package.json': manifest({ test: 'x', lint: 'eslint "a b"' }, { dependencies: { a: '1' } }) }],
  ])('writes a file that loads as what was detected: %s', (_, files) => {
    const detected = detectStack(files)
    const text = renderConfig(detected, { target: 'my-branch' })
    const loaded = loadSettings([{ name: 'repository', place: 'ropewalk.yaml', content: { text } }])
    expect(loaded).toMatchObject({ ok: true, settings: { target: 'my-branch', gates: 'plan', land: 'end' } })
    if (!loaded.ok) return
    expect(loaded.settings.checks.map(({ name, run, fix }) => ({ name, run, fix }))).toEqual(detected.checks)
    expect(loaded.settings.setup?.run ?? null).toBe(detected.setup)
  })
})
