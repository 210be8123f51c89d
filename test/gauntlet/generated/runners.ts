// The real runners of this machine, and those from npm that were put aside once.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { ChainName } from './chains.ts'

const kept = join(tmpdir(), 'ropewalk-gauntlet-runners')
export const goCache = join(kept, 'go-build')
const packages = { vitest: '4.1.12', jest: '30', mocha: '11' }
const programs = join(kept, 'node_modules', '.bin')

/** Those that are there. What starts them is found by its own path: a version manager would ask for a home. */
export function runnersHere({ install }: { install: boolean }): ChainName[] {
  if (install) installRunners()
  const found: ChainName[] = ['node']
  const folders: string[] = []
  const python = said('python3', ['-c', 'import sys, pytest; print(sys.prefix)'])
  if (python !== null) found.push('pytest') && folders.push(join(python, 'bin'))
  const rust = said('rustc', ['--print', 'sysroot'])
  if (rust !== null) found.push('cargo') && folders.push(join(rust, 'bin'))
  if (said('go', ['version']) !== null && warmGo()) found.push('go')
  for (const name of ['vitest', 'jest', 'mocha'] as const) if (existsSync(join(programs, name))) found.push(name)
  const path = (process.env.PATH ?? '').split(delimiter)
  process.env.PATH = [...new Set([...folders, ...path, programs])].join(delimiter)
  return found
}

/** From the registry, once for this machine. */
function installRunners(): void {
  mkdirSync(kept, { recursive: true })
  if (Object.keys(packages).every((name) => existsSync(join(programs, name)))) return
  writeFileSync(join(kept, 'package.json'), '{ "private": true }\n')
  const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`)
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', ...wanted], { cwd: kept, stdio: 'inherit' })
}

/** What every test of Go is built from, so that not each of them builds it again. */
function warmGo(): boolean {
  const folder = join(kept, 'warm')
  if (existsSync(join(goCache, 'README'))) return true
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'go.mod'), 'module warm\n\ngo 1.19\n')
  const imports = ['encoding/json', 'fmt', 'os', 'os/exec', 'strings', 'testing', 'time', 'flag']
  const text = `package warm\n\nimport (\n${imports.map((name) => `\t${name === 'testing' ? '' : '_ '}"${name}"\n`).join('')})\n\nfunc TestWarm(t *testing.T) {}\n`
  writeFileSync(join(folder, 'warm_test.go'), text)
  const env = { ...process.env, GOCACHE: goCache }
  return spawnSync('go', ['test', './...'], { cwd: folder, env, stdio: 'ignore' }).status === 0
}

function said(program: string, args: string[]): string | null {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}
