import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openShell } from '../../../src/adapters/shell/shell.ts'
import type { Command, StandardInput } from '../../../src/ports/shell.ts'
import { commandOf, marked } from '../shell.ts'

const shell = openShell({ graceMs: 200 })

describe('a conversation', () => {
  it('goes on while the command runs, and ends when we say so', async () => {
    const lines: string[] = []
    const talk = conversation((line, stdin) => {
      lines.push(line)
      if (line === 'got three') stdin.end()
      else stdin.write(line === 'ready' ? 'one\n' : line === 'got one' ? 'two\nthr' : 'ee\n')
    })
    const line = 'echo ready; while read -r word; do echo "got $word"; done; exit 6'
    expect(await shell.run(commandOf(line, talk))).toMatchObject({ reason: 'exited', code: 6 })
    expect(lines).toEqual(['ready', 'got one', 'got two', 'got three'])
  })

  it.each(['true', 'exec <&-; sleep 0.3'])('with one who does not listen is no crash: %s', async (line) => {
    const input = async (stdin: StandardInput) => {
      for (let n = 0; n < 100; n++) {
        stdin.write('x'.repeat(100_000))
        await sleep(5)
      }
      stdin.end()
      stdin.end()
      stdin.write('after the end')
    }
    let talked: Promise<void> = Promise.resolve()
    const command = commandOf(line, {
      input: (stdin) => {
        talked = input(stdin)
      },
    })
    expect(await shell.run(command)).toMatchObject({ reason: 'exited', code: 0 })
    await talked
  })

  it('that fails on our side ends the command', async () => {
    const input = () => {
      throw new Error('of the caller')
    }
    const command = commandOf('sleep 300', { input })
    await expect(shell.run(command)).rejects.toThrow('of the caller')
    expect(marked(command.mark)).toEqual([])
  })
})

describe('a command that is done', () => {
  it('and exits by itself has exited', async () => {
    const command = commandOf('echo bye; sleep 0.2; exit 7', untilBye())
    expect(await shell.run(command)).toMatchObject({ reason: 'exited', code: 7 })
  })

  it.each([
    ['does not', 'echo bye; sleep 300 & wait'],
    ['does not, whatever it is told', `trap '' TERM; echo bye; while :; do sleep 300; done`],
  ])('and %s is ended with all that it started', async (_, line) => {
    const command = commandOf(line, untilBye())
    expect(await shell.run(command)).toMatchObject({ reason: 'lingered', leftBehind: 0, stdoutTail: 'bye\n' })
    expect(marked(command.mark)).toEqual([])
  })

  it('may also never say so', async () => {
    const never = new Promise<void>(() => {})
    expect(await shell.run(commandOf('exit 4', { done: never }))).toMatchObject({ reason: 'exited', code: 4 })
    const failed = Promise.reject(new Error('of the caller'))
    expect(await shell.run(commandOf('sleep 0.3; exit 4', { done: failed }))).toMatchObject({ code: 4 })
  })
})

/** Answers each line that comes. */
function conversation(answer: (line: string, stdin: StandardInput) => void): Partial<Command> {
  let stdin: StandardInput | null = null
  return {
    input: (opened) => {
      stdin = opened
    },
    onLine: (line) => {
      if (stdin !== null) answer(line, stdin)
    },
  }
}

function untilBye(): Partial<Command> {
  let resolve = () => {}
  const done = new Promise<void>((r) => {
    resolve = r
  })
  return { done, onLine: (line) => line === 'bye' && resolve() }
}
