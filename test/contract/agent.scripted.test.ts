import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scriptedDriver } from '../../src/adapters/agents/scripted/driver.ts'
import { allowedEnvironment } from '../../src/adapters/shell/environment.ts'
import { openShell } from '../../src/adapters/shell/shell.ts'
import { agentContract, play, temporaryFolder } from './agent.ts'

const open = () =>
  scriptedDriver({
    shell: openShell({ graceMs: 200 }),
    redact: String,
    environment: (extra) => allowedEnvironment(process.env, extra),
  })
const script = (text: string) => {
  const file = join(temporaryFolder(), 'script.yaml')
  writeFileSync(file, text)
  return { script: file }
}
const steps = (...actions: object[]) => ({ steps: [{ do: actions }] })

agentContract('scripted', open, {
  edit: script('- do:\n    - write: { src/hello.txt: "hello\\n" }\n    - say: written\n'),
  crash: steps({ crash: true }, { write: { 'after.txt': '' } }),
  exitCode7: steps({ exit: 7 }),
  hang: steps({ hang: true }),
  grandchild: steps({ shell: `setsid sh -c 'echo $$ > child.tmp; mv child.tmp child.pid; exec sleep 300' & wait` }),
  usage: steps({ usage: { inputTokens: 10, outputTokens: 20, cachedTokens: 5, usd: 0.25 } }),
  ask: steps({ ask: { text: 'Which port?', options: ['80', '8080'] } }),
  limit: steps({ limit: { resetsAt: '2030-01-02T03:04:05Z' } }),
  result: steps({ result: { plan: 'small' } }),
})

describe('which entry is played', () => {
  const said = async (entries: object[], over: Parameters<typeof play>[2] = {}) =>
    (await play(open(), { steps: entries }, over)).result.text
  const entry = (says: string, keys: object = {}) => ({ ...keys, do: [{ say: says }] })

  it('the one with the most keys of those that fit', async () => {
    const entries = [
      entry('any'),
      entry('story', { story: 'parse-dates' }),
      entry('round 2', { story: 'parse-dates', round: 2 }),
      entry('reviewer', { role: 'reviewer', story: 'parse-dates', round: 2 }),
    ]
    expect(await said(entries)).toBe('story')
    expect(await said(entries, { round: 2 })).toBe('round 2')
    expect(await said(entries, { round: 2, role: 'reviewer' })).toBe('reviewer')
    expect(await said(entries, { story: null })).toBe('any')
  })

  it('of several with as many, the first', async () => {
    const entries = [entry('attempt', { attempt: 2 }), entry('round', { round: 2 })]
    expect(await said(entries, { attempt: 2, round: 2 })).toBe('attempt')
  })

  it('by a part of the prompt, and by whether a session goes on', async () => {
    const entries = [
      entry('first', { resumed: false }),
      entry('again', { resumed: true }),
      entry('port', { resumed: true, prompt: 'port 80' }),
    ]
    expect(await said(entries)).toBe('first')
    expect(await said(entries, { session: 's' })).toBe('again')
    expect(await said(entries, { session: 's', prompt: 'Use port 80.' })).toBe('port')
  })

  it('none is an error that names the turn', async () => {
    const { result } = await play(open(), { steps: [entry('x', { story: 'other' })] })
    expect(result).toMatchObject({ status: 'failed', error: { kind: 'bad-request', retryable: false } })
    expect(result.error?.message).toBe('steps has no entry for role coder, story parse-dates, attempt 1, round 1')
  })
})

describe('what it does', () => {
  it('replaces, patches, deletes and runs, in the order written', async () => {
    const patch = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-two\n+three\n'
    const { result, turn, events } = await play(
      open(),
      steps(
        { write: { 'a.txt': 'one\n', 'b/c.txt': 'c' } },
        { replace: { path: 'a.txt', find: 'one', with: 'two' } },
        { patch },
        { shell: 'cp a.txt copy.txt; echo ran; echo to-stderr >&2' },
        { delete: ['b', 'a.txt'] },
      ),
    )
    expect(result.error).toBe(null)
    expect(readFileSync(join(turn.workspace, 'copy.txt'), 'utf8')).toBe('three\n')
    expect(existsSync(join(turn.workspace, 'a.txt'))).toBe(false)
    expect(existsSync(join(turn.workspace, 'b'))).toBe(false)
    expect(readFileSync(turn.transcript, 'utf8')).toBe('ran\nto-stderr\n\n')
    const ended = events.filter((event) => event.type === 'tool-ended')
    expect(ended.map((event) => event.ok)).toEqual([true, true, true, true, true])
  })

  it('can be played again over what it did already', async () => {
    const options = steps(
      { replace: { path: 'a.txt', find: 'one', with: 'two' } },
      { patch: '--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-one\n+two\n' },
      { shell: 'cat a.txt b.txt' },
    )
    const { turn } = await play(open(), steps({ write: { 'a.txt': 'one\n', 'b.txt': 'one\n' } }))
    expect((await open().run({ ...turn, options })).status).toBe('finished')
    expect((await open().run({ ...turn, options })).status).toBe('finished')
    expect(readFileSync(turn.transcript, 'utf8')).toBe('two\ntwo\n')
  })

  it('fills into a result what is known only in the turn', async () => {
    const options = steps({ result: { of: ['$ROPEWALK_COMMIT'], is: 'round $ROPEWALK_ROUND of $HOME, $ROPEWALK_X' } })
    const { turn } = await play(open(), options, { environment: { ROPEWALK_COMMIT: 'c1' } })
    expect(JSON.parse(readFileSync(turn.resultFile, 'utf8'))).toEqual({
      of: ['c1'],
      is: 'round 1 of $HOME, $ROPEWALK_X',
    })
  })

  it('goes on after a command that fails, and says that it failed', async () => {
    const { result, events } = await play(open(), steps({ shell: 'exit 3' }, { say: 'done' }))
    expect(result).toMatchObject({ status: 'finished', text: 'done' })
    expect(events).toContainEqual(expect.objectContaining({ type: 'tool-ended', ok: false }))
  })

  it('plays nothing after what ends the turn', async () => {
    const { turn } = await play(open(), steps({ exit: 0 }, { write: { 'after.txt': '' } }))
    expect(existsSync(join(turn.workspace, 'after.txt'))).toBe(false)
  })

  it('sleeps, and wakes when it is aborted', async () => {
    expect((await play(open(), steps({ sleep: 1 }))).result.status).toBe('finished')
    const abort = new AbortController()
    const options = steps({ say: 'asleep' }, { sleep: 1_000_000 })
    const { result } = await play(open(), options, { signal: abort.signal, onEvent: async () => abort.abort() })
    expect(result.error?.kind).toBe('aborted')
  })

  it('knows its session before it does anything, and the same one after a crash', async () => {
    const first = await play(open(), steps({ say: 'x' }))
    expect(first.events[1]).toEqual({ type: 'session', session: first.result.session })
    const again = await play(open(), steps({ say: 'x' }))
    expect(again.result.session).toBe(first.result.session)
    const other = await play(open(), steps({ say: 'x' }), { attempt: 2 })
    expect(other.result.session).not.toBe(first.result.session)
  })

  it('counts a limit from now', async () => {
    const before = Date.now()
    const { result } = await play(open(), steps({ limit: { resetsInMs: 60_000, kind: 'quota' } }))
    expect(result.error).toMatchObject({ kind: 'quota', retryable: true })
    expect(result.error?.resetsAt).toBeGreaterThanOrEqual(before + 60_000)
  })
})

describe('a script that is wrong', () => {
  it.each([
    ['- do: [{ wriet: {} }]', /script\.yaml: entry 1, do 1: .*wriet/],
    ['- do: []\n- storry: x\n  do: []', /script\.yaml: entry 2: .*storry/],
    ['- do: [{ say: a, exit: 1 }]', /entry 1, do 1: must be exactly one action/],
    ['- do: [{ sleep: soon }]', /entry 1, do 1, sleep: .*number/],
    ['- do: [{ write: { ../x: y } }]', /entry 1, do 1, write, \.\.\/x: .*inside the workspace/],
    ['stories: []', /top: .*array/],
    ['- do: [', /script\.yaml: .*line 1/s],
  ])('%j is named with its place', async (text, message) => {
    const probe = await open().probe(script(text), '/', 20_000)
    expect(probe).toMatchObject({ usable: false, problem: expect.stringMatching(message) })
    const { result } = await play(open(), script(text))
    expect(result.error).toMatchObject({ kind: 'bad-request', message: expect.stringMatching(message) })
  })

  it('is named when it is missing, or not given', async () => {
    expect(await open().probe({ script: 'no.yaml' }, '/tmp', 20_000)).toMatchObject({
      usable: false,
      problem: expect.stringContaining('/tmp/no.yaml'),
    })
    expect(await open().probe({}, '/', 20_000)).toMatchObject({
      usable: false,
      problem: expect.stringContaining('script:'),
    })
  })

  it.each([
    [{ replace: { path: 'a.txt', find: 'x', with: 'y' } }, 'steps: entry 1, do 1, replace: there is no file a.txt'],
    [{ patch: '--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n' }, 'steps: entry 1, do 1, patch: the patch does not apply'],
  ])('is named when an edit does not fit', async (action, message) => {
    const { result } = await play(open(), steps(action))
    expect(result.error?.message).toContain(message)
  })
})

it('plays the script of the guide as the guide says', async () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/scripted-agent.md'), 'utf8')
  const text = /```yaml\n(# agent-script\.yaml[\s\S]*?)```/.exec(guide)?.[1] ?? ''
  const options = script(text)
  const planned = await play(open(), options, { role: 'planner', story: null })
  expect(JSON.parse(readFileSync(planned.turn.resultFile, 'utf8')).stories[0].id).toBe('greet')
  const { turn, result } = await play(open(), options, { story: 'greet' })
  expect(result).toMatchObject({ status: 'finished', spent: { usd: 0.02 }, text: 'Done, all tests are green.' })
  await open().run({ ...turn, round: 2 })
  expect(readFileSync(join(turn.workspace, 'src/greet.js'), 'utf8')).toMatch(/Hello \$\{name\}/)
})
