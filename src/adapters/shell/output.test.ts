import { spawn } from 'node:child_process'
import { expect, it } from 'vitest'
import { openChildOutput } from './output.ts'

/** As on a machine that has no time for us. */
function stall(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

it('what a command printed last is read, though nobody had time to look until the wait for it was over', async () => {
  const kept = { add: (chunk: Buffer) => chunk, end: () => Buffer.alloc(0) }
  const output = openChildOutput({ spool: null, onLine: null }, { stream: () => kept })
  output.attach(spawn('sh', ['-c', 'echo told; echo wrong >&2'], { stdio: 'pipe' }), () => {})
  stall(1000)
  const finished = output.finish()
  stall(500)
  await finished
  expect(output.told()).toMatchObject({ stdoutTail: 'told\n', stderrTail: 'wrong\n' })
})
