// A role that must answer does so by a tool, which says at once what is wrong.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect } from 'vitest'
import type { AgentResult, AgentTurn } from '../../../../src/ports/agent-driver.ts'
import { submissionFile, submissionOf } from '../../../../src/roles/answer/shape.ts'
import { planContract } from '../../../../src/roles/planner/prompt.ts'
import type { Case } from '../case.ts'
import type { Open, Stage } from '../stage.ts'

export const answers: Case[] = [
  {
    title: 'answers by a tool, and hears at once what is wrong',
    run: async (open) => await answersByTool(await open()),
  },
  { title: 'answers by a tool confined', run: confined },
]

const file = resolve(import.meta.dirname, '../../../../.cache/agents/builtin/submit.js')
const answer = { stories: [{ id: 'one', title: 'One' }] }

async function answersByTool(stage: Stage, over: Partial<AgentTurn> = {}): Promise<AgentResult> {
  const steps = [
    { say: 'I answer.', act: { do: 'submit', answer: { stories: [{ title: 'One' }] } } } as const,
    { say: 'I answer again.', act: { do: 'submit', answer } } as const,
    { say: 'I have answered.' },
  ]
  stage.fake.script({ on: 'What is the plan', scenario: { steps } })
  const turn = stage.turn('What is the plan?', over)
  mkdirSync(dirname(turn.resultFile), { recursive: true })
  writeFileSync(submissionFile(turn.resultFile), JSON.stringify(submissionOf(planContract)))
  const submit = { program: process.execPath, args: [file, turn.resultFile] } satisfies AgentTurn['submit']
  const { result } = await stage.play({ ...turn, submit })
  expect(result).toMatchObject({ status: 'finished', error: null })
  if (stage.rig.loadsLate) return result
  const heard = stage.fake.calls().flatMap(({ said }) => said.flatMap(({ by, text }) => (by === 'tool' ? [text] : [])))
  // Some look at the schema themselves, before they call the tool.
  expect(heard.join('\n')).toMatch(/stories\[0\]\.id is missing|required property 'id'/)
  expect(JSON.parse(readFileSync(turn.resultFile, 'utf8'))).toEqual(answer)
  return result
}

async function confined(open: Open): Promise<AgentResult> {
  const stage = await open()
  const folder = dirname(stage.workspace)
  const hide = [join(folder, 'homes')]
  return await answersByTool(stage, {
    confine: { write: [stage.workspace], hide, show: [], guard: [], bare: [], kept: [], network: true },
  })
}
