import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it } from 'vitest'
import { exits } from './binary.ts'
import { story, Yard } from './yard.ts'

const asRoot = process.getuid?.() === 0

function mounted(folder: string, options: string): { remount(options: string): void; unmount(): void } {
  mkdirSync(folder, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
  return {
    remount: (changed) => execFileSync('mount', ['-o', `remount,${changed}`, folder]),
    unmount: () => execFileSync('umount', ['-l', folder]),
  }
}

describe('a home', () => {
  it.runIf(asRoot)('that cannot be written is named, with what to do', async () => {
    const yard = new Yard()
    const disk = mounted(yard.home, 'size=16m,ro')
    try {
      const { stderr } = exits(await yard.runPlan([story('one')]), 1)
      expect(stderr).toMatch(/read-only[\s\S]*→[\s\S]*ROPEWALK_HOME/)
      expect(stderr).not.toMatch(/defect/)
      disk.remount('rw')
      exits(await yard.runPlan([story('one')]), 0)
    } finally {
      disk.unmount()
    }
  })

  it.runIf(asRoot)('on a full disk stops it cleanly, and it goes on when there is space', async () => {
    const agent = `[ -e "$HOME/filled" ] || dd if=/dev/zero of="$HOME/../home/filler" bs=64k 2>/dev/null; : > "$HOME/filled"
echo work > "src/$ROPEWALK_STORY.txt"`
    const yard = new Yard({ agent })
    const disk = mounted(yard.home, 'size=24m')
    try {
      const said = await yard.runPlan([story('one'), story('two', { dependsOn: ['one'] })])
      expect([1, 2]).toContain(said.code)
      expect(said.stderr + said.stdout).toMatch(/disk full|no space|space left/i)
      expect(yard.files()).not.toContain('src/one.txt')
      execFileSync('rm', [join(yard.home, 'filler')])
      exits(await yard.ropewalk('resume'), 0)
      expect(exits(await yard.ropewalk('log', '--verify'), 0).stdout).toMatch(/intact/)
      expect(yard.files()).toEqual(expect.arrayContaining(['src/one.txt', 'src/two.txt']))
    } finally {
      disk.unmount()
    }
  })
})

describe('a folder for temporary files', () => {
  const sizes = ['nr_inodes=1', 'size=4k', 'size=120k', 'size=200k', 'size=300k']
  it.runIf(asRoot)('without room is named when a proof is to be run again, and nothing is left in it', async () => {
    const run = 'head -c 200000 /dev/zero > big && head -c 100000 /dev/zero'
    const yard = new Yard({ config: { checks: { test: { run, parser: 'exit-code' } } } })
    exits(await yard.runPlan([story('one')]), 0)
    for (const [index, options] of sizes.entries()) {
      const folder = join(yard.person, `small-${index}`)
      const disk = mounted(folder, options)
      try {
        const said = await yard.start(['verify', 'main', '--rerun'], { env: { TMPDIR: folder } }).done
        expect(exits(said, 1).stderr).toMatch(/disk full: there is no room in .*small[\s\S]*→ .*TMPDIR/)
        expect(readdirSync(folder)).toEqual([])
      } finally {
        disk.unmount()
      }
    }
  })
})

describe('a log', () => {
  it('that another process holds is waited for, then named; nothing is half-done', async () => {
    const yard = new Yard()
    exits(await yard.runPlan([story('one')]), 0)
    const other = new DatabaseSync(join(yard.home, 'log.sqlite'))
    other.exec('BEGIN EXCLUSIVE')
    const { stderr } = exits(await yard.runPlan([story('two')]), 1)
    expect(stderr).toMatch(/log\.sqlite is locked by another process[\s\S]*→/)
    other.exec('ROLLBACK')
    other.close()
    expect(await yard.json<unknown[]>('status', '--all')).toHaveLength(1)
    exits(await yard.runPlan([story('two')]), 0)
  })

  it('that is damaged is never read as if it were whole, and can be salvaged', async () => {
    const yard = new Yard()
    exits(await yard.runPlan([story('one')]), 0)
    const recorded = await yard.events()
    const { delivery } = recorded[0]!
    const file = join(yard.home, 'log.sqlite')
    const tampered = new DatabaseSync(file)
    tampered.exec(`UPDATE events SET record = substr(record, 1, 40) WHERE version = 9`)
    tampered.exec('DELETE FROM snapshots')
    tampered.close()
    expect(exits(await yard.ropewalk('log', '--verify'), 1).stdout).toMatch(/broken[\s\S]*version 9/)
    expect(exits(await yard.ropewalk('why', 'one'), 1).stderr).toMatch(/version 9[\s\S]*unlock --salvage/)
    expect(exits(await yard.ropewalk('unlock', '--salvage'), 0).stdout).toMatch(/8 kept/)
    expect(exits(await yard.ropewalk('log', '--verify', '-d', delivery), 0).stdout).toMatch(/intact {2}8 events/)
    expect(await yard.events(delivery)).toEqual(recorded.slice(0, 8))

    writeFileSync(file, Buffer.concat([Buffer.alloc(4096, 0xa5), readFileSync(file).subarray(4096)]))
    const { stderr } = exits(await yard.runPlan([story('two')]), 1)
    expect(stderr).toMatch(/log\.sqlite is damaged[\s\S]*unlock --salvage/)
    exits(await yard.ropewalk('unlock', '--salvage'), 0)
    exits(await yard.runPlan([story('two')]), 0)
  })
})
