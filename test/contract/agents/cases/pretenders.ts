// Programs that only pretend to be the agent, and say what no agent should.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { AgentErrorKind, AgentResult } from '../../../../src/ports/agent-driver.ts'
import type { Case } from '../case.ts'
import type { Tokens } from '../fake-model/wire.ts'
import { pretendedTokens, type Speech } from '../rig.ts'
import type { Open } from '../stage.ts'

type Ending = 'finished' | AgentErrorKind

/** What the program prints, and how it exits. */
interface Act {
  prints: (speech: Speech) => string[]
  exit: number
  ends: Ending
  /** How many calls the model API would have counted. */
  calls: (speech: Speech) => number
}

const lines = (objects: object[]): string => objects.map((object) => `${JSON.stringify(object)}\n`).join('')
const text = (value: string): string => `process.stdout.write(${JSON.stringify(value)})`

const one = (): number => 1
const perWord = ({ addsUp }: Speech): number => (addsUp ? 2 : 1)

const acts: Record<string, Act> = {
  'output that is not JSON': {
    prints: () => [text('Segmentation fault\n<html>\n[1]\n"x"\nnull\n')],
    exit: 0,
    ends: 'crash',
    calls: () => 0,
  },
  'half a line': {
    prints: ({ opening, good }) => [text(lines(opening) + lines(good).slice(0, -20))],
    exit: 0,
    ends: 'crash',
    calls: one,
  },
  'exit 0 on an error': {
    prints: ({ opening, bad }) => [text(lines(opening) + lines(bad))],
    exit: 0,
    ends: 'overloaded',
    calls: one,
  },
  'exit 1 after success': {
    prints: ({ opening, good }) => [text(lines(opening) + lines(good))],
    exit: 1,
    ends: 'finished',
    calls: one,
  },
  'no terminal event': { prints: ({ opening }) => [text(lines(opening))], exit: 0, ends: 'crash', calls: one },
  'two terminal events': {
    prints: ({ opening, good }) => [text(lines(opening) + lines(good) + lines(good))],
    exit: 0,
    ends: 'finished',
    calls: perWord,
  },
  'success, then an error': {
    prints: ({ opening, good, bad }) => [text(lines(opening) + lines(good) + lines(bad))],
    exit: 1,
    ends: 'overloaded',
    calls: perWord,
  },
  'invalid UTF-8': {
    prints: ({ opening, good }) => [
      'process.stdout.write(Buffer.from([0xff, 0xfe, 0x7b, 0xc3, 0x28, 0x0a, 0x0a]))',
      text(lines(opening) + lines(good)),
    ],
    exit: 0,
    ends: 'finished',
    calls: one,
  },
  'a line of 50 MB': {
    prints: ({ opening, good }) => [
      text(lines(opening)),
      'for (let at = 0; at < 50; at += 1) process.stdout.write("x".repeat(1_000_000))',
      text(`\n${lines(good)}`),
    ],
    exit: 0,
    ends: 'finished',
    calls: one,
  },
}

export const pretenders: Case[] = [
  { title: 'program missing', run: missing },
  ...Object.entries(acts).map(([title, act]) => ({ title, run: (open: Open) => pretended(open, act) })),
]

async function missing(open: Open): Promise<AgentResult> {
  const stage = await open()
  const options = { ...stage.rig.options(stage.fake.url), command: [join(stage.workspace, 'no-such-program')] }
  const { result } = await stage.play(stage.turn('SCENARIO:hello', { options }))
  expect(result).toMatchObject({ status: 'failed', error: { kind: 'spawn', retryable: false } })
  expect(result.error!.message).toContain('no-such-program')
  return result
}

async function pretended(open: Open, { prints, exit, ends, calls }: Act): Promise<AgentResult> {
  const stage = await open()
  const { rig } = stage
  const program = join(stage.workspace, 'pretender.mjs')
  const version = 'if (process.argv.includes("--version")) process.exit(0)'
  writeFileSync(program, `${version}\n${rig.pretender([...prints(rig.speech), `process.exitCode = ${exit}`])}`)
  const options = { ...rig.options(stage.fake.url), command: [process.execPath, program] }
  const turn = stage.turn('SCENARIO:hello', { options, timeoutMs: 20_000 })
  const { result } = await stage.play(turn, times(pretendedTokens, calls(rig.speech)))
  const expected = ends === 'finished' ? { status: ends, error: null } : { status: 'failed', error: { kind: ends } }
  expect(result).toMatchObject(expected)
  return result
}

const times = ({ inputTokens, outputTokens, cachedTokens }: Tokens, count: number): Tokens => ({
  inputTokens: inputTokens * count,
  outputTokens: outputTokens * count,
  cachedTokens: cachedTokens * count,
})
