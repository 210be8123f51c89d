import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Contract, fitting } from '../roles/answer/contract.ts'
import { readAnswer } from '../roles/answer/read-answer.ts'
import { problemsIn, submissionFile, submissionOf } from '../roles/answer/shape.ts'
import { handoffContract } from '../roles/coder/handoff.ts'
import { planContract } from '../roles/planner/prompt.ts'
import { verdictContract } from '../roles/verifier.ts'

const commit = 'c'.repeat(40)
const contracts: [string, Contract<unknown>][] = [
  ['plan', planContract as Contract<unknown>],
  ['verdict', verdictContract(commit) as Contract<unknown>],
  ['handoff', handoffContract as Contract<unknown>],
]

describe('what a process that takes answers knows of a contract', () => {
  it.each(contracts)('finds the same faults in a %s', (_, contract) => {
    const submission = JSON.parse(JSON.stringify(submissionOf(contract)))
    expect(problemsIn(submission, contract.example)).toEqual([])
    const [field] = Object.keys(contract.shape.fields)
    for (const wrong of [{}, [], 'text', null, { ...contract.example, [field!]: 7 }])
      expect(problemsIn(submission, wrong)).toEqual(fitting(contract, wrong).problems)
  })
})

describe('the program', () => {
  let program = ''
  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'ropewalk-submit-'))
    const built = spawnSync(process.execPath, ['scripts/build.mjs', folder, 'submit'], { encoding: 'utf8' })
    if (built.status !== 0) throw new Error(built.stderr)
    program = join(folder, 'submit.js')
  })

  function talk(contract: Contract<unknown> | null, messages: unknown[]) {
    const resultFile = join(mkdtempSync(join(tmpdir(), 'ropewalk-submit-')), 'result.json')
    if (contract !== null) writeFileSync(submissionFile(resultFile), JSON.stringify(submissionOf(contract)))
    const input = messages.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')
    const { stdout, status } = spawnSync(process.execPath, [program, resultFile], { input, encoding: 'utf8' })
    const replies = stdout.split('\n').filter(Boolean)
    return { status, resultFile, replies: replies.map((line) => JSON.parse(line)) }
  }
  const call = (id: number, answer: unknown) => ({
    ...{ jsonrpc: '2.0', id, method: 'tools/call' },
    params: { name: 'submit_answer', arguments: answer },
  })
  const ask = (id: number, method: string) => ({
    jsonrpc: '2.0',
    id,
    method,
    params: { protocolVersion: '2024-11-05' },
  })

  it('speaks the protocol, and only of what it has', () => {
    const { replies, status } = talk(planContract as Contract<unknown>, [
      ask(1, 'initialize'),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      'not JSON',
      ask(2, 'tools/list'),
      ask(3, 'resources/list'),
      ask(4, 'ping'),
    ])
    expect(status).toBe(0)
    expect(replies).toMatchObject([
      { id: 1, result: { protocolVersion: '2024-11-05', capabilities: { tools: {} } } },
      { id: 2, result: { tools: [{ name: 'submit_answer', inputSchema: { type: 'object', required: ['stories'] } }] } },
      { id: 3, error: { code: -32_601 } },
      { id: 4, result: {} },
    ])
  })

  it('has no tool in a turn of which no answer is wanted', () => {
    const { replies } = talk(null, [ask(1, 'tools/list'), call(2, {})])
    expect(replies).toMatchObject([{ result: { tools: [] } }, { error: {} }])
  })

  it('keeps what does and says what is wrong with what does not', () => {
    const plan = { stories: [{ id: 'one' }] }
    const { replies, resultFile } = talk(planContract as Contract<unknown>, [call(1, { stories: [{}] }), call(2, plan)])
    const problem = 'stories[0].id is missing; allowed: text of 1 to 64 characters'
    expect(replies[0].result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(problem) }] })
    expect(replies[1].result).toMatchObject({ isError: false })
    expect(JSON.parse(readFileSync(resultFile, 'utf8'))).toEqual(plan)
  })

  it('says, to the model and on standard error, when it cannot keep an answer', () => {
    const resultFile = join(mkdtempSync(join(tmpdir(), 'ropewalk-submit-')), 'gone', 'result.json')
    mkdirSync(resultFile, { recursive: true })
    writeFileSync(submissionFile(resultFile), JSON.stringify(submissionOf(planContract)))
    const plan = { stories: [{ id: 'one' }] }
    const input = [call(1, plan), ask(2, 'ping')].map((one) => JSON.stringify(one)).join('\n')
    const served = spawnSync(process.execPath, [program, resultFile], { input, encoding: 'utf8' })
    const [reply, alive] = served.stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
    expect(reply.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/could not be kept: EISDIR.*End your reply with it/) }],
    })
    expect(served.stderr).toContain('the answer could not be written: EISDIR')
    expect(alive).toMatchObject({ id: 2, result: {} })
    const draft = `${resultFile}.draft`
    writeFileSync(draft, JSON.stringify(plan))
    const once = spawnSync(process.execPath, [program, '--once', draft, resultFile], { encoding: 'utf8' })
    expect([once.status, once.stdout]).toEqual([1, expect.stringContaining('It could not be kept')])
  })

  it('hides no verdict behind a later one that says otherwise', () => {
    const contract = verdictContract(commit)
    const passed = { commit, verdict: 'passed' }
    const findings = [{ file: 'a.js', message: 'It is wrong.', evidence: 'a' }]
    const both = talk(contract as Contract<unknown>, [
      call(1, { commit, verdict: 'findings', findings }),
      call(2, passed),
    ])
    expect(readAnswer(contract, { file: readFileSync(both.resultFile, 'utf8'), text: '' }).value).toBeNull()
    const twice = talk(contract as Contract<unknown>, [call(1, passed), call(2, passed)])
    expect(readAnswer(contract, { file: readFileSync(twice.resultFile, 'utf8'), text: '' }).quality).toBe('full')
  })
})
