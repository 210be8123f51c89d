import { describe, expect, it } from 'vitest'
import { singleFilesCommand, withOnlyTests } from './single-files.ts'

const packageJson = (scripts: Record<string, string>) => ({ 'package.json': JSON.stringify({ scripts }) })
const make = (text: string) => ({ Makefile: text })
const go = (flags: string) => `for f in {files}; do dirname "./$f"; done | sort -u | xargs go test${flags}`

describe('how single test files are run', () => {
  it.each([
    ['node --test', {}, 'node --test {files}'],
    ['node --import tsx --test test/*.test.ts', {}, 'node --import tsx --test {files}'],
    ['npm test', packageJson({ test: 'node --test' }), 'node --test {files}'],
    [
      'npm run -s unit -- --bail',
      packageJson({ unit: 'npm test', test: 'jest' }),
      'PATH="$PWD/node_modules/.bin:$PWD/../node_modules/.bin:$PWD/../../node_modules/.bin:$PATH" jest --bail --runTestsByPath {files}',
    ],
    [
      'yarn test',
      packageJson({ test: 'vitest run --coverage' }),
      'PATH="$PWD/node_modules/.bin:$PWD/../node_modules/.bin:$PWD/../../node_modules/.bin:$PATH" vitest run {files}',
    ],
    [
      'pnpm test',
      packageJson({ test: 'vitest', pretest: 'tsc' }),
      'npm run -s pretest && PATH="$PWD/node_modules/.bin:$PWD/../node_modules/.bin:$PWD/../../node_modules/.bin:$PATH" vitest run {files}',
    ],
    [
      'npx mocha -r tsx test/**/*.ts',
      {},
      'PATH="$PWD/node_modules/.bin:$PWD/../node_modules/.bin:$PWD/../../node_modules/.bin:$PATH" mocha -r tsx {files}',
    ],
    ['python3 -m pytest -q tests', {}, 'python3 -m pytest -q {files}'],
    ['pytest --cov=shop -x', {}, 'pytest -x {files}'],
    ['python -m unittest discover -s tests', {}, 'python -m unittest {files}'],
    ['go test ./...', {}, go('')],
    ['go test -race -count 1 ./...', {}, go(' -race -count 1')],
    ['make test', make('test:\n\tgo test ./...\n'), go('')],
    [
      'make -s check',
      make('.PHONY: check\ncheck: made vet\n\t@go test ./...\n\nvet:\n\tgo vet\n'),
      `make made vet && ${go('')}`,
    ],
    ['make test', { ...make('test:\n\tnpm test\n'), ...packageJson({ test: 'node --test' }) }, 'node --test {files}'],
    ['cargo test', {}, `for f in {files}; do basename "$f" .rs; done | sed 's/^/--test=/' | xargs cargo test`],
  ])('by %s', (run, files, expected) => {
    expect(singleFilesCommand({ run, files })).toBe(expected)
  })

  it.each([
    ['make test', {}],
    ['make test', make('test: lint\ntest:\n\tgo test ./...\n')],
    ['make test', make('test:\n\tgo vet\n\tgo test ./...\n')],
    ['make test', make('test:\n\t-go test ./...\n')],
    ['make test', make('test:\n\t$(GO) test ./...\n')],
    ['make test', make('export GOFLAGS=-tags=unit\ntest:\n\tgo test ./...\n')],
    ['make test', make('-include local.mk\ntest:\n\tgo test ./...\n')],
    ['make test', make('test:\n\tgo test ./...\n\ntest: lint\n\tgo test ./more\n')],
    ['make test', { ...make('test:\n\tgo test ./...\n'), GNUmakefile: 'all:\n\ttrue\n' }],
    ['make test CHECK=1', make('test:\n\tgo test ./...\n')],
    ['npm test', {}],
    ['npm test', packageJson({ test: 'tsc && node --test' })],
    ['npm test', packageJson({ test: 'npm run test' })],
    ['npm test', packageJson({ test: 'jest', posttest: 'rm -r made' })],
    ['npm test', packageJson({ test: 'NODE_ENV=test jest' })],
    ['node test/run.js', {}],
    ['vitest bench', {}],
    ['vitest --watch', {}],
    ['mocha', { '.mocharc.json': '{ "spec": "test/**" }' }],
  ])('nobody can say for %s with %j', (run, files) => {
    expect(singleFilesCommand({ run, files })).toBeNull()
  })
})

describe('how only some tests of them are run', () => {
  it.each([
    [go(' -v'), ['TestSum', 'TestSum/small'], go(" -run '^(TestSum)$' -v")],
    ['make go test -run Sum', ['TestSum'], 'make go test -run Sum'],
    ['node --test {files}', ['sums'], 'node --test {files}'],
    [go(''), ['adds; rm'], go('')],
  ])('%s', (command, names, told) => {
    expect(withOnlyTests(command, names)).toBe(told)
  })
})
