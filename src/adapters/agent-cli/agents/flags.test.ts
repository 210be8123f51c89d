import { expect, it } from 'vitest'
import type { AgentTurn } from '../../../ports/agent-driver.ts'
import type { Start } from '../cli-agent.ts'
import { claude } from './claude.ts'
import { copilot } from './copilot.ts'
import { gemini } from './gemini.ts'
import { qwen } from './qwen.ts'

/** A product may not tell of all that it knows. */
const untold = ['--max-turns']

it.each([claude, copilot, gemini, qwen])('$name is asked for each flag that a challenger starts it with', (agent) => {
  const turn = { options: {}, model: 'm1', session: null, openAs: 'fresh', submit: null, modelTurns: 15 }
  const start = { session: 'fresh', home: '/home/own', usageFile: '/none', env: {} }
  const args = agent.args({ ...start, turn: turn as unknown as AgentTurn } as Start)
  const flags = args.map((one) => one.split('=')[0]!).filter((one) => one.startsWith('--') && !untold.includes(one))
  expect(agent.probe.flags).toEqual(expect.arrayContaining(flags))
})
