import { describe, expect, it } from 'vitest'
import { detectStack, type RootFiles } from '../proof/related/detect.ts'
import { loadSettings } from '../settings/load.ts'
import { renderConfig } from '../settings/proposal.ts'

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
        { name: 'lint', run: 'npm run lint', fix: 'npm run lint -- --fix', related: null, parser: 'exit-code' },
        { name: 'test', run: 'npm test', fix: null, related: 'node --test {files}', parser: 'auto' },
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
    [
      'python with pytest',
      { 'pyproject.toml': '[tool.pytest.ini_options]' },
      ['python -m pytest --junitxml="$ROPEWALK_REPORT"'],
      null,
    ],
    ['python without', { 'setup.py': '' }, [], null],
    ['go', { 'go.mod': '' }, ['go vet ./...', 'go test -json ./...'], null],
    ['rust', { 'Cargo.toml': '' }, ['cargo test --no-fail-fast'], null],
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

describe('the test script of a package', () => {
  const detect = (test: string, lock = 'package-lock.json', more: RootFiles = {}) => {
    const packages = { vitest: '1', jest: '1', mocha: '1' }
    const files = { 'package.json': manifest({ test }, { devDependencies: packages }), [lock]: '', ...more }
    const { run, related } = detectStack(files).checks[0]!
    return { run, related }
  }
  const json = '--reporter=default --reporter=json --outputFile.json="$ROPEWALK_REPORT"'
  const mocha = '--reporter json --reporter-option output="$ROPEWALK_REPORT"'

  it.each<[string, string, string | null]>([
    ['vitest', `npm test -- ${json}`, `npx vitest run ${json} {files}`],
    ['vitest run -c a.ts', `npm test -- ${json}`, `npx vitest run -c a.ts ${json} {files}`],
    ['vitest run --coverage', `npm test -- ${json}`, `npx vitest run ${json} {files}`],
    ['vitest run src', `npm test -- ${json}`, null],
    ['vitest run --reporter=dot', 'npm test', null],
    ['vitest bench', 'npm test', null],
    ['vitest --watch', 'npm test', null],
    ['vitest run && tsc', 'npm test', null],
    ['CI=1 vitest run', 'npm test', null],
    [
      'jest --ci',
      'npm test -- --json --outputFile="$ROPEWALK_REPORT"',
      'npx jest --ci --json --outputFile="$ROPEWALK_REPORT" --runTestsByPath {files}',
    ],
    ['jest src', 'npm test -- --json --outputFile="$ROPEWALK_REPORT"', null],
    ['mocha -r tsx "test/**/*.ts"', `npm test -- ${mocha}`, `npx mocha -r tsx ${mocha} {files}`],
    ['mocha -R dot', 'npm test', null],
    ['node --import tsx --test "test/*.ts"', 'npm test', 'node --import tsx --test {files}'],
    ['node test.js', 'npm test', null],
    ['ava', 'npm test', null],
  ])('%s', (script, run, related) => {
    expect(detect(script)).toEqual({ run, related })
  })

  it('goes by the package tool', () => {
    expect(detect('vitest', 'pnpm-lock.yaml')).toEqual({
      run: `pnpm test ${json}`,
      related: `pnpm exec vitest run ${json} {files}`,
    })
    expect(detect('jest', 'yarn.lock').related).toMatch(/^yarn run jest /)
  })

  it('is left alone where the runner is not among the packages', () => {
    const files = { 'package.json': manifest({ test: 'vitest run' }) }
    expect(detectStack(files).checks).toEqual([
      { name: 'test', run: 'npm test', fix: null, related: null, parser: 'auto' },
    ])
  })

  it('runs no single files where settings name others', () => {
    expect(detect('mocha', 'package-lock.json', { '.mocharc.yml': 'spec: test/**/*.js' }).related).toBeNull()
  })
})

describe('other runners', () => {
  const related = (files: RootFiles) => detectStack(files).checks.find(({ name }) => name === 'test')?.related

  it('run single files', () => {
    expect(related({ 'pytest.ini': '' })).toBe('python -m pytest --junitxml="$ROPEWALK_REPORT" {files}')
    expect(related({ 'pytest.ini': 'addopts = --cov=a --cov-fail-under=80' })).toContain('--no-cov {files}')
    expect(related({ 'uv.lock': '', 'pyproject.toml': 'pytest' })).toMatch(/^uv run --frozen python -m pytest /)
    expect(related({ 'go.mod': '' })).toContain('xargs go test -json')
    expect(related({ 'Cargo.toml': '' })).toBeNull()
  })
})

describe('renderConfig', () => {
  it.each<[string, RootFiles]>([
    ['nothing known', {}],
    ['a suite', { 'package.json': manifest({ test: 'vitest' }, { devDependencies: { vitest: '1' } }) }],
    ['python', { 'pytest.ini': '' }],
    ['a node package', { 'package.json': manifest({ test: 'x', lint: 'eslint "a b"' }, { dependencies: { a: '1' } }) }],
  ])('writes a file that loads as what was detected: %s', (_, files) => {
    const detected = detectStack(files)
    const text = renderConfig(detected, { target: 'my-branch' })
    const loaded = loadSettings([{ name: 'repository', place: 'ropewalk.yaml', content: { text } }])
    expect(loaded).toMatchObject({ ok: true, settings: { target: 'my-branch', gates: 'plan', land: 'end' } })
    if (!loaded.ok) return
    expect(
      loaded.settings.checks.map(({ name, run, fix, related, parser }) => ({ name, run, fix, related, parser })),
    ).toEqual(detected.checks)
    expect(loaded.settings.setup?.run ?? null).toBe(detected.setup)
  })
})
