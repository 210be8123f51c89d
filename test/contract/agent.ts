// What every agent driver must do, whatever it drives.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AgentDriver, AgentEvent, AgentResult, AgentTurn } from '../../src/ports/agent-driver.ts'
import { folderFor } from '../folders.ts'
import { isAlive, pidIn } from './shell.ts'

/** One behaviour the suite asks for; each driver says with which options its agent shows it. */
export interface Behaviours {
  /** Writes `hello\n` to `src/hello.txt`, says "written", finishes. */
  edit: Record<string, unknown>
  /** Dies of SIGKILL. */
  crash: Record<string, unknown>
  exitCode7: Record<string, unknown>
  hang: Record<string, unknown>
  /** Starts `sleep 300` as a child in a session of its own, writes its pid to `child.pid`, waits for it. */
  grandchild: Record<string, unknown>
  /** 10 input, 20 output, 5 cached tokens and 0.25 dollars. */
  usage: Record<string, unknown>
  /** Asks "Which port?" with the options 80 and 8080. */
  ask: Record<string, unknown>
  /** A rate limit until 2030-01-02T03:04:05Z. */
  limit: Record<string, unknown>
  /** Writes `{"plan": "small"}` to the result file. */
  result: Record<string, unknown>
}

export function agentContract(name: string, open: () => AgentDriver, behaviours: Behaviours): void {
  const driver = open()

  describe(`the ${name} agent`, () => {
    it('edits a file in the workspace and finishes', async () => {
      const { result, events, turn } = await play(driver, behaviours.edit)
      expect(result).toMatchObject({ status: 'finished', error: null, question: null, exitCode: 0 })
      expect(readFileSync(join(turn.workspace, 'src/hello.txt'), 'utf8')).toBe('hello\n')
      expect(result.text).toContain('written')
      expect(readFileSync(turn.transcript, 'utf8')).toContain('written')
      expect(events).toContainEqual({ type: 'text', text: 'written' })
    })

    it('says first what exactly is started', async () => {
      const { events } = await play(driver, behaviours.edit)
      expect(events[0]).toMatchObject({ type: 'started' })
      expect(events.filter((event) => event.type === 'started')).toHaveLength(1)
    })

    it('tells a crash and an exit code from being finished', async () => {
      const crashed = await play(driver, behaviours.crash)
      expect(crashed.result).toMatchObject({ status: 'failed', exitCode: null, error: { kind: 'crash' } })
      expect(crashed.result.error?.message).toContain('SIGKILL')
      const red = await play(driver, behaviours.exitCode7)
      expect(red.result).toMatchObject({ status: 'failed', exitCode: 7, error: { kind: 'crash' } })
    })

    it('ends at the timeout', async () => {
      const { result } = await play(driver, behaviours.hang, { timeoutMs: 200 })
      expect(result).toMatchObject({ status: 'failed', error: { kind: 'timeout' } })
    })

    it('ends when it is silent for too long', async () => {
      const { result } = await play(driver, behaviours.hang, { idleTimeoutMs: 200 })
      expect(result).toMatchObject({ status: 'failed', error: { kind: 'idle' } })
    })

    it('takes its children with it when it is aborted', async () => {
      const abort = new AbortController()
      const turn = turnWith(behaviours.grandchild, { signal: abort.signal })
      const running = driver.run(turn)
      const child = await pidIn(join(turn.workspace, 'child.pid'))
      expect(isAlive(child)).toBe(true)
      abort.abort()
      expect(await running).toMatchObject({ status: 'failed', error: { kind: 'aborted' } })
      expect(isAlive(child)).toBe(false)
    })

    it('does nothing when it is aborted before it began', async () => {
      const { result, turn } = await play(driver, behaviours.edit, { signal: AbortSignal.abort() })
      expect(result).toMatchObject({ status: 'failed', error: { kind: 'aborted' } })
      expect(existsSync(join(turn.workspace, 'src/hello.txt'))).toBe(false)
    })

    it('takes a prompt of 1 MB', async () => {
      const { result } = await play(driver, behaviours.edit, { prompt: `"$HOME" \`id\` 'é' \\\n`.repeat(50_000) })
      expect(result.status).toBe('finished')
    })

    it('reports what the turn used', async () => {
      const { result, events } = await play(driver, behaviours.usage)
      const usage = { inputTokens: 10, outputTokens: 20, cachedTokens: 5 }
      expect(result).toMatchObject({ status: 'finished', spent: { usage, usd: 0.25, exact: true } })
      expect(events).toContainEqual({ type: 'usage', usage })
    })

    it('asks a question', async () => {
      const { result } = await play(driver, behaviours.ask)
      expect(result).toMatchObject({
        status: 'asked',
        error: null,
        question: { text: 'Which port?', options: ['80', '8080'] },
      })
    })

    it('reports a limit with its end, not as a crash', async () => {
      const { result, events } = await play(driver, behaviours.limit)
      const resetsAt = Date.parse('2030-01-02T03:04:05Z')
      expect(result).toMatchObject({ status: 'failed', error: { kind: 'rate-limit', retryable: true, resetsAt } })
      expect(events).toContainEqual({ type: 'limit', resetsAt })
    })

    it('leaves the answer of its role in the result file, and never that of an earlier turn', async () => {
      const { turn } = await play(driver, behaviours.result)
      expect(JSON.parse(readFileSync(turn.resultFile, 'utf8'))).toMatchObject({ plan: 'small' })
      await driver.run({ ...turn, options: behaviours.edit })
      expect(existsSync(turn.resultFile)).toBe(false)
    })

    it('goes on with a session', async () => {
      const { result } = await play(driver, behaviours.edit, { session: 'session-1' })
      expect(result.session).toBe('session-1')
    })
  })
}

export interface Played {
  result: AgentResult
  events: AgentEvent[]
  turn: AgentTurn
}

export async function play(
  driver: AgentDriver,
  options: Record<string, unknown>,
  over: Partial<AgentTurn> = {},
): Promise<Played> {
  const events: AgentEvent[] = []
  const turn = turnWith(options, { onEvent: async (event) => void events.push(event), ...over })
  const result = await driver.run(turn)
  return { result, events, turn }
}

export const temporaryFolder = (): string => folderFor('ropewalk-agent-')

let turns = 0

export function turnWith(options: Record<string, unknown>, over: Partial<AgentTurn>): AgentTurn {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'workspace'))
  return {
    agent: 'mine',
    role: 'coder',
    options,
    model: null,
    prompt: 'Do it.',
    workspace: join(folder, 'workspace'),
    session: null,
    delivery: 'd1',
    story: 'parse-dates',
    attempt: 1,
    round: 1,
    base: '0'.repeat(40),
    resultFile: join(folder, 'result.json'),
    environment: {},
    transcript: join(folder, 'transcript.log'),
    mark: `agent-contract.${process.pid}.${++turns}.`,
    timeoutMs: 30_000,
    idleTimeoutMs: 30_000,
    modelTurns: null,
    signal: new AbortController().signal,
    openAs: '00000000-0000-4000-8000-000000000000',
    totals: null,
    confine: null,
    submit: null,
    onEvent: async () => {},
    onPermission: () => 'deny',
    ...over,
  }
}
