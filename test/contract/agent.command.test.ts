import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { commandDriver } from '../../src/adapters/agents/command.ts'
import { allowedEnvironment } from '../../src/adapters/shell/environment.ts'
import { openShell } from '../../src/adapters/shell/shell.ts'
import { agentContract, play, temporaryFolder } from './agent.ts'

const open = () =>
  commandDriver({
    shell: openShell({ graceMs: 200 }),
    environment: (extra) => allowedEnvironment(process.env, extra),
    env: process.env,
  })
const sh = (line: string) => ({ command: ['sh', '-c', line] })
const answer = (json: object) => sh(`cat > "$ROPEWALK_RESULT" <<'END'\n${JSON.stringify(json)}\nEND`)

agentContract('command', open, {
  edit: sh('mkdir -p src && echo hello > src/hello.txt && echo written'),
  crash: sh('kill -9 $$'),
  exitCode7: sh('echo oops >&2; exit 7'),
  hang: sh('sleep 300'),
  grandchild: sh(`setsid sh -c 'echo $$ > child.tmp; mv child.tmp child.pid; exec sleep 300' & wait`),
  usage: answer({ usage: { inputTokens: 10, outputTokens: 20, cachedTokens: 5 }, usd: 0.25 }),
  ask: answer({ question: { text: 'Which port?', options: ['80', '8080'] } }),
  limit: answer({ limit: { resetsAt: '2030-01-02T03:04:05Z', kind: 'rate-limit' } }),
  result: answer({ plan: 'small' }),
})

it('gives the agent the prompt byte for byte, and an end of input', async () => {
  const prompt = `"$HOME" \`id\` $(id) 'é' \\\n`.repeat(50_000)
  const { turn } = await play(open(), sh('cat > prompt.txt'), { prompt })
  expect(readFileSync(join(turn.workspace, 'prompt.txt'), 'utf8') === prompt).toBe(true)
})

it('tells the agent which turn it is', async () => {
  const { turn } = await play(open(), sh('env | grep ^ROPEWALK_ | sort'), { session: 's-9', attempt: 2, round: 3 })
  const told = readFileSync(turn.transcript, 'utf8').trim().split('\n')
  expect(told).toEqual([
    'ROPEWALK_ATTEMPT=2',
    `ROPEWALK_BASE=${'0'.repeat(40)}`,
    'ROPEWALK_DELIVERY=d1',
    `ROPEWALK_MARK=${turn.mark}`,
    `ROPEWALK_RESULT=${turn.resultFile}`,
    'ROPEWALK_ROLE=coder',
    'ROPEWALK_ROUND=3',
    'ROPEWALK_SESSION=s-9',
    'ROPEWALK_STORY=parse-dates',
  ])
})

it('passes on only the variables that its settings name', async () => {
  process.env.ROPEWALK_TEST_KEY = 'named'
  process.env.ROPEWALK_TEST_OTHER = 'not named'
  const { events, result } = await play(open(), { ...sh('env'), environment: ['ROPEWALK_TEST_KEY', 'NOT_SET'] })
  expect(result.text).toContain('ROPEWALK_TEST_KEY=named')
  expect(result.text).not.toContain('ROPEWALK_TEST_OTHER')
  const [started] = events
  expect(started?.type === 'started' && started.environment).toContain('ROPEWALK_TEST_KEY')
  expect(started?.type === 'started' && started.environment).not.toContain('NOT_SET')
})

it('reports the session that the agent names', async () => {
  const { result, events } = await play(open(), answer({ session: 'mine-1' }))
  expect(result.session).toBe('mine-1')
  expect(events).toContainEqual({ type: 'session', session: 'mine-1' })
})

it.each(['not json', '[1]', 'null', '{"question": 1, "usage": "many", "limit": []}', `"${'x'.repeat(2_000_000)}"`])(
  'ignores a result file that says nothing to the driver',
  async (text) => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'answer'), text)
    const { result } = await play(open(), sh(`cp ${folder}/answer "$ROPEWALK_RESULT"`))
    expect(result).toMatchObject({ status: 'finished', spent: { usd: null, exact: false } })
  },
)

it('does not wait for a result file that is a pipe', async () => {
  const { result } = await play(open(), sh('mkfifo "$ROPEWALK_RESULT"'))
  expect(result.status).toBe('finished')
})

it('takes what it says about a limit only from the result file, never from its text', async () => {
  const { result } = await play(open(), sh('echo "429 rate limit, 401"'))
  expect(result.status).toBe('finished')
})

it('does not take a question for one when the agent crashed', async () => {
  const { result } = await play(open(), sh(`echo '{"question":{"text":"?"}}' > "$ROPEWALK_RESULT"; exit 1`))
  expect(result).toMatchObject({ status: 'failed', question: null, error: { kind: 'crash' } })
})

it('names the last words of an agent that crashed', async () => {
  const { result } = await play(open(), sh('echo "no key" >&2; exit 3'))
  expect(result.error?.message).toBe('exit code 3: no key')
})

it('says in one sentence that the program is missing, in the turn and before it', async () => {
  const { result } = await play(open(), { command: ['ropewalk-no-such-program'] })
  expect(result).toMatchObject({ status: 'failed', error: { kind: 'spawn', retryable: false } })
  expect(result.error?.message).toBe('ropewalk-no-such-program: no such program')
  expect(await open().probe({ command: ['ropewalk-no-such-program'] }, '/', 20_000)).toEqual({
    usable: false,
    version: null,
    problem: 'there is no program ropewalk-no-such-program',
    remedy: 'Install it, or correct the command.',
  })
})

it('finds a program on the path and one in the folder, and says when it is not executable', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'my-agent'), '#!/bin/sh\nexit 1\n', { mode: 0o644 })
  expect(await open().probe({ command: ['sh'] }, folder, 20_000)).toMatchObject({ usable: true, version: null })
  expect(await open().probe({ command: ['./my-agent'] }, folder, 20_000)).toMatchObject({ usable: false })
  chmodSync(join(folder, 'my-agent'), 0o755)
  expect(await open().probe({ command: ['./my-agent'] }, folder, 20_000)).toMatchObject({ usable: true, version: null })
  expect(await open().probe({ command: ['./my-agent'] }, '/', 20_000)).toMatchObject({ usable: false })
})

it('names what is wrong with its settings', async () => {
  expect(await open().probe({ command: 'sh' }, '/', 20_000)).toMatchObject({
    usable: false,
    version: null,
    problem: expect.stringContaining('command'),
  })
  await expect(play(open(), { command: [] })).rejects.toThrow('command')
})

it('runs the agent of the guide', async () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/command-agent.md'), 'utf8')
  const agent = join(temporaryFolder(), 'my-agent')
  writeFileSync(agent, /```sh\n([\s\S]*?)```/.exec(guide)?.[1] ?? '', { mode: 0o755 })
  const { turn } = await play(open(), sh('mkdir src; echo "let a" > src/a.js'))
  const result = await open().run({ ...turn, options: { command: [agent] } })
  expect(result).toMatchObject({ status: 'finished', spent: { usd: 0 }, text: 'changed src/a.js\n' })
  expect(readFileSync(join(turn.workspace, 'src/a.js'), 'utf8')).toBe('// SPDX-License-Identifier: MIT\nlet a\n')
})
