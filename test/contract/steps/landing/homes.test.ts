import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openShell } from '../../../../src/adapters/shell/shell.ts'
import { freeGoneHomes, makeHome, markOf } from '../../../../src/steps/verify/rerun.ts'

const shell = openShell({ graceMs: 200 })

const sleeping = (home: string) =>
  shell.run({
    ...{ run: { line: 'sleep 60' }, cwd: home, env: { PATH: process.env.PATH ?? '' }, input: '' },
    ...{ mark: markOf(home), timeoutMs: 120_000, idleTimeoutMs: null, signal: new AbortController().signal },
    ...{ spool: join(home, 'spool'), onLine: null, onStart: null, isWaiting: null, done: null, confine: null },
  })

it('frees what a verification that was killed has left, and leaves alone who is at work', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ropewalk-homes-'))
  const pid = execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }).trim()
  const gone = join(folder, `ropewalk-verify-${pid}.1.abcdef`)
  mkdirSync(join(gone, 'locked'), { recursive: true })
  writeFileSync(join(gone, 'locked/file'), '')
  chmodSync(join(gone, 'locked'), 0o500)
  const mine = makeHome(folder)
  mkdirSync(join(folder, 'ropewalk-verify-of-somebody'))
  const [left, working] = [sleeping(gone), sleeping(mine)]
  await expect.poll(() => existsSync(join(gone, 'spool')) && existsSync(join(mine, 'spool'))).toBe(true)
  await freeGoneHomes(shell, folder)
  expect((await left).reason).not.toBe('timeout')
  expect([existsSync(gone), existsSync(mine)]).toEqual([false, true])
  expect(existsSync(join(folder, 'ropewalk-verify-of-somebody'))).toBe(true)
  const word = await Promise.race([working.then(() => 'ended'), new Promise((go) => setTimeout(go, 100, 'at work'))])
  expect(word).toBe('at work')
  await shell.sweep(markOf(mine))
  await working
})
