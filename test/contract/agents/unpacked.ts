// What an agent unpacks into the home of its user: once, and from there by links, since it can be hundreds of megabytes.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { installed } from './rig.ts'

export function unpackInto(home: string, program: string): void {
  execFileSync('cp', ['-al', `${homeOf(program)}/.`, home])
}

const homes = new Map<string, string>()
afterAll(() => {
  for (const home of homes.values()) rmSync(home, { recursive: true, force: true })
})

function homeOf(program: string): string {
  const known = homes.get(program)
  if (known !== undefined) return known
  const home = mkdtempSync(join(tmpdir(), `ropewalk-${program}-home-`))
  homes.set(program, home)
  execFileSync(installed(program), ['--version'], { env: { PATH: process.env.PATH, HOME: home }, stdio: 'ignore' })
  return home
}
