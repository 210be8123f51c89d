import { expect, it } from 'vitest'
import { blocks } from '../../delivery/judging/finding.ts'
import { changed } from '../files/sample-change.ts'
import { byItselfFindings, startsAtOnce } from './by-itself.ts'

const found = (path: string, text: string, before: string | null = '# before\n') =>
  byItselfFindings([changed(path, before, (before ?? '') + text)])

const lock = (name: string, resolved: string) =>
  `${JSON.stringify({ packages: { [`node_modules/${name}`]: { version: '1.0.0', resolved } } }, null, 2)}\n`
const usual = 'https://registry.npmjs.org/pad/-/pad-1.0.0.tgz'

it.each<[string, string]>([
  ['package.json', '    "prepare": "node tools/x.js",'],
  ['package.json', '    "pad": "https://example.org/pad.tgz",'],
  ['package.json', '    "pad": "npm:pda@1.0.0"'],
  ['.npmrc', 'registry=https://example.org/'],
  ['.yarnrc.yml', 'yarnPath: .yarn/releases/yarn.cjs'],
  ['.pnpmfile.cjs', 'module.exports = {}'],
  ['pip.conf', 'extra-index-url = https://example.org/simple'],
  ['requirements.txt', 'pad @ https://example.org/pad.whl'],
  ['pyproject.toml', 'build-backend = "backend"'],
  ['setup.py', 'import subprocess'],
  ['binding.gyp', '"action": ["sh", "x.sh"]'],
  ['build.rs', 'std::process::Command::new("sh");'],
  ['Cargo.toml', 'pad = { git = "https://example.org/pad" }'],
  ['Cargo.toml', 'shop = { path = ".", features = ["fast"] }'],
  ['.cargo/config.toml', 'replace-with = "mirror"'],
  ['go.mod', 'replace example.org/a => ../b'],
  ['.gitmodules', '\turl = https://example.org/x.git'],
  ['.envrc', 'source tools/env.sh'],
  ['mise.toml', '[hooks]'],
  ['.vscode/tasks.json', '"command": "sh x.sh"'],
  ['.vscode/settings.json', '"typescript.tsdk": "tools/ts"'],
  ['.devcontainer/devcontainer.json', '"postCreateCommand": "sh x.sh"'],
  ['.husky/pre-commit', 'sh x.sh'],
  ['.pre-commit-config.yaml', '  - repo: https://example.org/hooks'],
  ['gradle/wrapper/gradle-wrapper.properties', 'distributionUrl=https\\://example.org/gradle.zip'],
  ['Gemfile', "source 'https://example.org'"],
  ['composer.json', '"post-install-cmd": "sh x.sh"'],
  ['Cargo.lock', 'source = "git+https://github.com/other/pad#1"'],
])('is told with its line, and never held back: %s %s', (path, text) => {
  const findings = found(path, `${text}\n`)
  expect(findings.map(({ message }) => message)).toEqual([expect.stringContaining(`${path}:2 `)])
  expect(findings.filter(blocks)).toEqual([])
})

it.each<[string, string]>([
  ['package.json', '    "test": "vitest run",\n    "homepage": "https://example.org",\n    "pad": "^2.0.0"'],
  ['package.json', '    "url": "git+https://github.com/a/b.git"'],
  ['.npmrc', 'save-exact=true'],
  ['requirements.txt', 'pad==2.0.0'],
  ['pyproject.toml', 'dependencies = ["pad>=2"]\nHomepage = "https://example.org"'],
  ['setup.py', '    version="2.0.0",'],
  ['Cargo.toml', 'pad = "2.0"\npad-core = { path = "../core" }'],
  ['go.mod', 'require example.org/a v1.2.0'],
  ['.vscode/settings.json', '"editor.formatOnSave": true'],
  ['.pre-commit-config.yaml', '    rev: v2.0.0'],
  ['gradle/wrapper/gradle-wrapper.properties', 'distributionUrl=https\\://services.gradle.org/distributions/a.zip'],
  ['Cargo.lock', 'source = "registry+https://github.com/rust-lang/crates.io-index"'],
  ['docs/examples/.envrc', 'source x.sh'],
  ['src/a.js', 'registry=https://example.org/'],
])('is nothing to speak of: %s %s', (path, text) => {
  expect(found(path, `${text}\n`)).toEqual([])
})

it('tells of a new file once', () => {
  expect(found('setup.py', 'import subprocess\n\nsubprocess.run(["sh", "x.sh"])\n', null)).toHaveLength(1)
})

it('tells of a lock that leads elsewhere, or to another package', () => {
  const told = (before: string, after: string) =>
    byItselfFindings([changed('package-lock.json', before, after)]).map(({ message }) => message)
  const before = lock('pad', usual)
  expect(told(before, lock('pad', 'https://example.org/pad/-/pad-1.0.0.tgz'))).toEqual([
    'package-lock.json:5 fetches a package from example.org, where none came from before',
  ])
  expect(told(before, lock('pad', usual.replaceAll('pad', 'pda')))).toEqual([
    'package-lock.json:5 fetches another package as pad',
  ])
  expect(told(before, before.replaceAll('1.0.0', '1.1.0'))).toEqual([])
})

it('holds back what runs as soon as a folder is opened', () => {
  const task = '{ "tasks": [{\n"command": "sh x.sh",\n"runOptions": { "runOn": "folderOpen" } }] }\n'
  expect(startsAtOnce(changed('.vscode/tasks.json', null, task))).toBe(true)
  expect(startsAtOnce(changed('.vscode/tasks.json', null, task.replace('folderOpen', 'default')))).toBe(false)
  expect(startsAtOnce(changed('a.pth', null, 'import os\n'))).toBe(true)
})
