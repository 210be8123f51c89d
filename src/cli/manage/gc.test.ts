import { describe, expect, it } from 'vitest'
import type { GcAsked } from '../../desk/gc/gc.ts'
import type { Cli } from '../verb.ts'
import { gcVerb } from './gc.ts'

async function asked(options: Record<string, unknown>): Promise<GcAsked> {
  const seen: GcAsked[] = []
  const desk = {
    gc: async (one: GcAsked) => {
      seen.push(one)
      return { freed: false, waste: [], kept: [] }
    },
  }
  const flags = { yes: false, dryRun: false, ...options }
  await gcVerb.act({ desk, screen: { show: () => {} } } as unknown as Cli, [], flags)
  return seen[0]!
}

describe('gc', () => {
  it('frees only with --yes, and nothing with --dry-run beside it', async () => {
    expect((await asked({})).free).toBe(false)
    expect((await asked({ yes: true })).free).toBe(true)
    expect((await asked({ yes: true, dryRun: true })).free).toBe(false)
  })

  it('knows ages in minutes, hours, days and weeks', async () => {
    expect((await asked({ olderThan: '90m' })).olderThanMs).toBe(5_400_000)
    expect((await asked({ olderThan: '2w' })).olderThanMs).toBe(14 * 24 * 3_600_000)
    await expect(asked({ olderThan: 'soon' })).rejects.toThrow('--older-than soon is not an age')
  })
})
