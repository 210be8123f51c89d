import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { shellTool } from './commands.ts'
import type { ToolPlace } from './tool.ts'

const place = (): ToolPlace => ({
  workspace: mkdtempSync(join(tmpdir(), 'agent-shell-')),
  resultFile: null,
  env: { PATH: process.env.PATH },
  maxOutputBytes: 1000,
  signal: new AbortController().signal,
})

/** A process that was killed is not gone before its parent has noticed. */
async function expectDead(pid: number): Promise<void> {
  await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false)
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const pidIn = (at: ToolPlace): number => Number(readFileSync(join(at.workspace, 'pid'), 'utf8'))

describe('the shell', () => {
  it('tells how a command ended and what it said, without colours', async () => {
    const at = place()
    expect(await shellTool.run({ command: "printf '\\033[31mred\\033[0m\\n'; echo wrong >&2" }, at)).toEqual({
      ok: true,
      text: 'exit code 0\n```\nred\nwrong\n```',
    })
    expect(await shellTool.run({ command: 'exit 3' }, at)).toEqual({ ok: false, text: 'exit code 3\n```\n```' })
  })

  it('ends a command that takes too long, with all that it has started', async () => {
    const at = place()
    const ended = await shellTool.run(
      { command: 'sleep 300 & echo $! > pid; echo waiting; wait', timeoutSeconds: 1 },
      at,
    )
    expect(ended).toEqual({ ok: false, text: 'ended after 1 seconds\n```\nwaiting\n```' })
    await expectDead(pidIn(at))
  })

  it('leaves nothing running behind a command that has ended', async () => {
    const at = place()
    expect(await shellTool.run({ command: 'sleep 300 & echo $! > pid' }, at)).toMatchObject({ ok: true })
    await expectDead(pidIn(at))
  })

  it('does not wait for a process that has left and holds on to the output', async () => {
    const at = place()
    const ended = await shellTool.run({ command: 'setsid sleep 300 & echo $! > pid; sleep 0.3; echo said' }, at)
    expect(ended.text).toContain('said')
    process.kill(pidIn(at), 'SIGKILL')
  })

  it('keeps the beginning and the end of a long output', async () => {
    const { text } = await shellTool.run(
      { command: 'echo first; head -c 3000000 /dev/zero | tr "\\0" x; echo last' },
      place(),
    )
    expect(text).toMatch(/```\nfirst\nx+\n\[… 2999011 bytes left out …\]\nx+last\n```$/)
  })

  it('is ended when the turn is', async () => {
    const stop = new AbortController()
    const at = { ...place(), signal: stop.signal }
    const ended = shellTool.run({ command: 'echo $$ > pid; sleep 300' }, at)
    await expect.poll(() => isRunning(Number.isNaN(tryPid(at)) ? 0 : tryPid(at)), { timeout: 10_000 }).toBe(true)
    stop.abort()
    expect(await ended).toMatchObject({ ok: false })
    await expectDead(pidIn(at))
  })
})

function tryPid(at: ToolPlace): number {
  try {
    return pidIn(at) || Number.NaN
  } catch {
    return Number.NaN
  }
}
