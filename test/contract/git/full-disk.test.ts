import { describe, expect, it } from 'vitest'
import { failedCall } from '../../../src/adapters/git/program/failures.ts'
import { TransientError } from '../../../src/ports/errors.ts'
import { isDiskFull } from '../../../src/std/files.ts'

const failed = (args: string[], stderr: string, cramped: boolean) => failedCall(args, { code: 128, stderr }, cramped)

describe('a git that fails on a disk with next to nothing left', () => {
  it('is known as one for which there is no room, in whatever words, by whoever hears of it later', () => {
    for (const stderr of [
      'fatal: write error',
      'fatal: unable to unpack 12ab header',
      'error: could not lock config file config',
      '',
    ])
      expect(isDiskFull(failed(['pack-objects'], stderr, true)), stderr).toBe(true)
    expect(isDiskFull(failed(['rev-parse', 'x'], 'fatal: x: No space left on device', false))).toBe(true)
  })

  it('is one that has another cause where git says so, or where it would have written nothing', () => {
    const others: [string[], string][] = [
      [['fetch'], "fatal: '/gone' does not appear to be a git repository"],
      [['commit'], "fatal: detected dubious ownership in repository at '/r'"],
      [['rev-parse', 'x'], 'fatal: Needed a single revision'],
      [['add'], "fatal: Unable to create '/r/.git/index.lock': Permission denied"],
    ]
    for (const [args, stderr] of others) expect(isDiskFull(failed(args, stderr, true)), stderr).toBe(false)
    expect(failed(['add'], "fatal: Unable to create '/gone/index.lock': File exists.", true)).toBeInstanceOf(
      TransientError,
    )
  })

  it('is a failure as any other where there is room', () => {
    expect(failed(['pack-objects'], 'fatal: write error', false)).toMatchObject({
      remedy: expect.stringContaining('Look at what git says'),
    })
    expect(failed(['cat-file'], 'fatal: bad object 12ab', false)).toMatchObject({
      remedy: expect.stringContaining('git fsck'),
    })
  })
})
