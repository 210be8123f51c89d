// Everything dies in the middle of a landing, or the disk is full: the checkout is whole after `resume`.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { git } from '../../contract/user-repository.ts'
import { exits } from '../binary.ts'
import { story, Yard } from '../yard.ts'

const many = `mkdir -p gen; i=0; while [ $i -lt 600 ]; do echo "line $i of a file with some text" > gen/$i.txt; i=$((i+1)); done`

/** Kills the driver, itself and the real git while that writes the checkout. */
function deadly(yard: Yard, afterMs: number): string {
  const real = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const folder = join(yard.person, 'bin')
  mkdirSync(folder)
  const dies = `"${real}" "$@" & sleep ${afterMs / 1000}; kill -9 $! $PPID $$`
  const text = `#!/bin/sh\ncase "$*" in *"read-tree -m -u -n"*) ;; *"read-tree -m -u"*) ${dies} ;; esac\nexec "${real}" "$@"\n`
  writeFileSync(join(folder, 'git'), text)
  chmodSync(join(folder, 'git'), 0o755)
  return folder
}

function expectWhole({ repo }: Yard, count: number): void {
  expect(git(repo, 'status', '--porcelain')).toBe('')
  const names = readdirSync(join(repo, 'gen'))
  expect(names).toHaveLength(count)
  expect(names.filter((name) => statSync(join(repo, 'gen', name)).size === 0)).toEqual([])
  expect(readdirSync(join(repo, '.git')).filter((name) => /\.lock$|^index\./.test(name))).toEqual([])
}

describe('a checkout', () => {
  it.each([2, 6, 10, 15])('in which all of us were killed, git as well, %i ms after it began is whole', async (ms) => {
    const yard = new Yard({ agent: many })
    const env = { PATH: `${deadly(yard, ms)}:${process.env.PATH}` }
    expect((await yard.start(yard.planArgs([story('one')]), { env }).done).signal).toBe('SIGKILL')
    exits(await yard.ropewalk('resume'), 0)
    expectWhole(yard, 600)
    expect(await yard.eventsOf('LandingBegun')).toMatchObject([{ checkouts: [yard.repo] }])
  })

  it.runIf(process.getuid?.() === 0)('on a full disk is whole once there is space, and nothing is lost', async () => {
    const agent = 'mkdir -p gen; for i in $(seq 40); do head -c 45000 /dev/urandom | base64 > gen/$i.txt; done'
    const yard = new Yard({ agent })
    const kept = join(yard.person, 'kept')
    cpSync(yard.repo, kept, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', yard.repo])
    try {
      execFileSync('cp', ['-a', `${kept}/.`, yard.repo])
      git(yard.repo, 'status')
      const said = await yard.runPlan([story('one')])
      expect(said.code).not.toBe(0)
      expect(said.stdout + said.stderr).not.toMatch(/commit or stash/)
      // The branch has moved, and the checkout could not follow.
      expect(git(yard.repo, 'log', '-1', '--format=%s', 'main')).toBe('Story one')
      execFileSync('mount', ['-o', 'remount,size=64m', yard.repo])
      exits(await yard.ropewalk('resume'), 0)
      expectWhole(yard, 40)
      cpSync(yard.repo, kept, { recursive: true })
    } finally {
      execFileSync('umount', ['-l', yard.repo])
      execFileSync('sh', ['-c', 'rm -rf "$1" && mv "$2" "$1"', 'sh', yard.repo, kept])
    }
  })
})
