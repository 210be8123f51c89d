// Bubblewrap that works when it is tried, and then does not: nobody runs free what was to be confined.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exits } from '../../binary.ts'
import { story, Yard } from '../../yard.ts'

/** The check leaves a file in the person's home if it runs free. */
const run = 'echo > "$HOME/ran-free"; sh check.sh'
const yardWith = (sandbox: 'auto' | 'bwrap', more: object = {}): Yard =>
  new Yard({ config: { sandbox, checks: { test: { run, parser: 'exit-code' } }, ...more } })
const ranFree = ({ person }: Yard): boolean => existsSync(join(person, 'ran-free'))

/** A bubblewrap of our own that does this before it does its work. */
function bubblewrap(yard: Yard, first: string): { env: Record<string, string> } {
  const folder = join(yard.person, 'programs')
  mkdirSync(folder)
  writeFileSync(join(folder, 'bwrap'), `#!/bin/sh\n${first}\nexec /usr/bin/bwrap "$@"\n`, { mode: 0o755 })
  return { env: { PATH: `${folder}:${process.env.PATH}` } }
}
const says = (words: string): string => `{ echo "bwrap: ${words}" >&2; exit 1; }`
const forChecks = (what: string): string => `case "$*" in *ran-free*) ${what};; esac`
const noMore = 'Creating new namespace failed: No space left on device'

describe('bubblewrap that fails in the middle', () => {
  it.each(['auto', 'bwrap'] as const)('is tried again, when there were too many at once (%s)', async (sandbox) => {
    const yard = yardWith(sandbox)
    const tried = join(yard.person, 'tried')
    const { env } = bubblewrap(yard, forChecks(`[ -e "${tried}" ] || { : > "${tried}"; ${says(noMore)}; }`))
    exits(await yard.start(yard.planArgs([story('one')]), { env }).done, 0)
    expect(existsSync(tried)).toBe(true)
    expect(ranFree(yard)).toBe(false)
    expect((await yard.status()).stories).toMatchObject([{ word: 'merged', attempt: 1, round: 1, turns: 1 }])
  })

  it.each(['auto', 'bwrap'] as const)('is told, when it cannot, and charged to nobody (%s)', async (sandbox) => {
    const yard = yardWith(sandbox)
    const { env } = bubblewrap(yard, forChecks(says("Can't bind mount")))
    const { stdout } = exits(await yard.start(yard.planArgs([story('one')]), { env }).done, 2)
    expect(stdout).toMatch(/cannot confine a command: bwrap: Can't bind mount[\s\S]*sandbox: none/)
    expect(ranFree(yard)).toBe(false)
    const [one] = (await yard.status()).stories
    expect(one).toMatchObject({ attempt: 1, round: 1, turns: 1, findings: [] })
  })
})

describe('bubblewrap that does not work any more when it goes on', () => {
  const stopped = async (yard: Yard): Promise<{ env: Record<string, string> }> => {
    const killed = await yard.start(yard.planArgs([story('one')]), { env: { ROPEWALK_CRASH_AT: 'started:Judge:2' } })
      .done
    expect(killed.signal).toBe('SIGKILL')
    return bubblewrap(yard, says(noMore))
  }

  it('is refused, where it must be', async () => {
    const yard = yardWith('bwrap')
    const how = await stopped(yard)
    expect(exits(await yard.start(['resume'], how).done, 2).stdout).toMatch(/cannot confine a command[\s\S]*namespaces/)
    expect(ranFree(yard)).toBe(false)
    expect((await yard.start(['doctor'], how).done).stdout).toMatch(/problem\s+sandbox/)
  })

  it('is a concern, where it need not be', async () => {
    const yard = yardWith('auto')
    const how = await stopped(yard)
    exits(await yard.start(['resume'], how).done, 0)
    expect(exits(await yard.ropewalk('report'), 0).stdout).toMatch(/nothing is confined on this machine/)
    expect((await yard.start(['doctor'], how).done).stdout).toMatch(/note\s+sandbox[\s\S]*run as you/)
  })
})
