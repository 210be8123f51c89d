import { setImmediate as turned } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { onInterrupt } from './ending.ts'

it('takes what comes while the first is still being answered for the same burst', async () => {
  const said: string[] = []
  const answerSlowly = (): void => {
    said.push('first')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150)
  }
  const interrupt = onInterrupt({ first: answerSlowly, again: () => said.push('again') })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGINT'] as const) process.emit(signal)
  await turned()
  process.emit('SIGINT')
  interrupt.close()
  expect(said).toEqual(['first'])
})
