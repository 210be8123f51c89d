// An agent that asks before it acts, and is answered by what the settings say.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { AgentResult, AgentTurn } from '../../../../src/ports/agent-driver.ts'
import type { Case } from '../case.ts'
import type { Open, Stage } from '../stage.ts'

export const permissions: Case[] = [
  { title: 'a command that only a human can allow', run: asked },
  { title: 'a command that is not allowed', run: denied },
]

async function asked(open: Open): Promise<AgentResult> {
  const stage = await open()
  const { result } = await stage.play(stage.turn('SCENARIO:edit', { onPermission: commands('ask') }))
  expect(result).toMatchObject({ status: 'asked', error: null, question: { options: ['allow', 'deny'] } })
  expect(result.question?.permission).toEqual({ kind: 'execute', title: expect.stringContaining('echo shell-ok') })
  expect(written(stage)).toBe('hello from fake\n')
  const { session } = result
  const answered = await stage.play(stage.turn('SCENARIO:edit Go on.', { session, onPermission: commands('allow') }))
  expect(answered.result).toMatchObject({ status: 'finished', error: null, session })
  expect(written(stage)).toBe('hello from fake\nshell-ok\n')
  return result
}

async function denied(open: Open): Promise<AgentResult> {
  const stage = await open()
  const { result, events } = await stage.play(stage.turn('SCENARIO:edit', { onPermission: commands('deny') }))
  const answers = events.flatMap((event) => (event.type === 'permission' ? [[event.request.kind, event.answer]] : []))
  expect(answers).toContainEqual(['execute', 'deny'])
  expect(written(stage)).toBe('hello from fake\n')
  return result
}

/** Fetching is never allowed: so there is always something that the agent has to ask for. */
function commands(answer: 'allow' | 'deny' | 'ask'): AgentTurn['onPermission'] {
  return ({ kind }) => (kind === 'execute' ? answer : kind === 'fetch' ? 'deny' : 'allow')
}

const written = ({ workspace }: Stage): string => readFileSync(join(workspace, 'hello.txt'), 'utf8')
