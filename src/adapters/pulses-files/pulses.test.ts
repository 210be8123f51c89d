import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Pulse } from '../../ports/pulses.ts'
import { filePulses } from './pulses.ts'

const homes: string[] = []
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true })
})

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'ropewalk-pulses-'))
  homes.push(home)
  return home
}

const pulse = (over: Partial<Pulse> = {}): Pulse => ({
  step: 'code/s1/1.1',
  story: 's1',
  agent: 'claude',
  model: null,
  state: 'working',
  doing: 'Edit src/a.ts',
  startedAt: 1,
  seenAt: 2,
  until: null,
  usage: { inputTokens: 10, outputTokens: 2, cachedTokens: 5 },
  usd: 0.5,
  ...over,
})

describe('pulses in files', () => {
  it('tells another process the last pulse of each step', () => {
    const home = newHome()
    const pulses = filePulses(home)
    pulses.beat('d1', pulse({ doing: 'before' }))
    pulses.beat('d1', pulse())
    pulses.beat('d1', pulse({ step: 'code/s2/1.1', story: 's2', state: 'limit', until: 9 }))
    pulses.beat('d2', pulse({ step: 'plan/1' }))
    const told = filePulses(home).of('d1')
    expect(told.sort((a, b) => (a.step < b.step ? -1 : 1))).toEqual([
      pulse(),
      pulse({ step: 'code/s2/1.1', story: 's2', state: 'limit', until: 9 }),
    ])
  })

  it('forgets a step that is over, and one that never was', () => {
    const pulses = filePulses(newHome())
    pulses.beat('d1', pulse())
    pulses.stop('d1', pulse().step)
    pulses.stop('d1', 'never')
    expect(pulses.of('d1')).toEqual([])
    expect(pulses.of('nothing-of-it')).toEqual([])
  })

  it('keeps files that only the user can read, and no others', () => {
    const home = newHome()
    filePulses(home).beat('d1', pulse())
    const folder = join(home, 'pulses/d1')
    const names = readdirSync(folder)
    expect(names).toHaveLength(1)
    expect(statSync(join(folder, names[0]!)).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('passes over files that are broken or not whole', () => {
    const home = newHome()
    const pulses = filePulses(home)
    pulses.beat('d1', pulse())
    const folder = join(home, 'pulses/d1')
    writeFileSync(join(folder, 'half.json'), JSON.stringify(pulse()).slice(0, 40))
    writeFileSync(join(folder, 'other.json'), '{"step":"x","state":"dancing"}')
    writeFileSync(join(folder, 'empty.json'), '')
    writeFileSync(join(folder, 'a.json.writing'), JSON.stringify(pulse({ step: 'half' })))
    expect(pulses.of('d1')).toEqual([pulse()])
  })

  it('does not leave its folder, and does not throw when it cannot write', () => {
    const home = newHome()
    writeFileSync(join(home, 'pulses'), 'in the way')
    const pulses = filePulses(home)
    pulses.beat('d1', pulse())
    expect(pulses.of('d1')).toEqual([])
    expect(() => pulses.of('../x')).toThrow(/must be/)
    pulses.beat('../x', pulse())
    expect(readdirSync(home)).toEqual(['pulses'])
  })
})
