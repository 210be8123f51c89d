import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openShell } from '../../../src/adapters/shell/shell.ts'
import { commandOf, isAlive, marked, pidIn, temporaryFolder } from '../shell.ts'
import { program } from './program.ts'

const shell = openShell({ graceMs: 200 })
const sleeper = (file: string) => `sh -c 'echo $$ > ${file}.tmp; mv ${file}.tmp ${file}; exec sleep 300'`

describe('a tree is ended', () => {
  it('at the timeout, with its grandchildren', async () => {
    const file = join(temporaryFolder(), 'pid')
    const command = commandOf(`sh -c "${sleeper(file)}; true"; true`, { timeoutMs: 500 })
    expect(await shell.run(command)).toMatchObject({ reason: 'timeout', leftBehind: 0 })
    expect(isAlive(await pidIn(file))).toBe(false)
    expect(marked(command.mark)).toEqual([])
  })

  it('when it ignores TERM', async () => {
    const command = commandOf(`trap '' TERM; while :; do sleep 300; done`, { timeoutMs: 300 })
    expect(await shell.run(command)).toMatchObject({ reason: 'timeout', signal: 'SIGKILL' })
    expect(marked(command.mark)).toEqual([])
  })

  it('with time to clean up, and one TERM for each', async () => {
    const file = join(temporaryFolder(), 'cleaned')
    const line = `trap 'echo term >> ${file}; sleep 0.1 && exit 9' TERM; while :; do sleep 0.01; done`
    const exit = await openShell().run(commandOf(line, { timeoutMs: 300 }))
    expect(exit).toMatchObject({ reason: 'timeout', code: 9 })
    expect(readFileSync(file, 'utf8')).toBe('term\n')
  })

  it('when nothing is printed for too long, but not while something is', async () => {
    const chatty = 'for i in 1 2 3 4 5 6; do sleep 0.4; echo $i >&2; done'
    const cwd = temporaryFolder()
    const exit = await shell.run(commandOf(chatty, { cwd, idleTimeoutMs: 1_500 }))
    expect(exit).toMatchObject({ reason: 'exited', code: 0 })
    const silent = commandOf('echo x; sleep 300', { cwd, idleTimeoutMs: 200 })
    expect(await shell.run(silent)).toMatchObject({ reason: 'idle' })
  })

  it('when it is aborted, and does not begin when it is aborted already', async () => {
    const abort = new AbortController()
    const onStart = () => abort.abort()
    expect(await shell.run(commandOf('sleep 300', { signal: abort.signal, onStart }))).toMatchObject({
      reason: 'aborted',
    })
    let started = false
    const late = commandOf('true', { signal: abort.signal, onStart: () => (started = true) })
    expect(await shell.run(late)).toMatchObject({ reason: 'aborted', code: null })
    expect(started).toBe(false)
  })

  it('when the one who started it fails', async () => {
    const command = commandOf('sleep 300', {
      onStart: () => {
        throw new Error('of the caller')
      },
    })
    await expect(shell.run(command)).rejects.toThrow('of the caller')
    expect(marked(command.mark)).toEqual([])
  })

  it('with a daemon that forked twice into a session of its own', async () => {
    const file = join(temporaryFolder(), 'pid')
    const command = commandOf(
      `(setsid ${sleeper(file)} </dev/null >/dev/null 2>&1 &) ; while ! test -e ${file}; do sleep 0.01; done`,
    )
    expect(await shell.run(command)).toMatchObject({ reason: 'exited', code: 0, leftBehind: 1 })
    expect(isAlive(await pidIn(file))).toBe(false)
  })

  it('with a child that cleared its environment', async () => {
    const file = join(temporaryFolder(), 'pid')
    const path = process.env.PATH
    const command = commandOf(`env -i PATH="${path}" ${sleeper(file)} & while ! test -e ${file}; do sleep 0.01; done`)
    expect(await shell.run(command)).toMatchObject({ reason: 'exited', leftBehind: 1 })
    expect(isAlive(await pidIn(file))).toBe(false)
  })

  it('with a child that cleared its environment and left the session, when it ends while its parents live', async () => {
    const file = join(temporaryFolder(), 'pid')
    const abort = new AbortController()
    const path = process.env.PATH
    const running = shell.run(
      commandOf(`env -i PATH="${path}" setsid ${sleeper(file)} & wait`, { signal: abort.signal }),
    )
    const pid = await pidIn(file)
    abort.abort()
    expect(await running).toMatchObject({ reason: 'aborted' })
    expect(isAlive(pid)).toBe(false)
  })

  it('with one that was seen before its parents were gone', async () => {
    const file = join(temporaryFolder(), 'pid')
    const path = process.env.PATH
    const daemon = `(env -i PATH="${path}" setsid ${sleeper(file)} </dev/null >/dev/null 2>&1 & sleep 2.5)`
    expect(await shell.run(commandOf(daemon))).toMatchObject({ reason: 'exited', code: 0, leftBehind: 1 })
    expect(isAlive(await pidIn(file))).toBe(false)
  })

  it('with the sleeper that a command left behind, whose pipes nobody waits for', async () => {
    const command = commandOf('echo before; sleep 300 & echo after')
    expect(await shell.run(command)).toMatchObject({
      reason: 'exited',
      code: 0,
      leftBehind: 1,
      stdoutTail: 'before\nafter\n',
    })
    expect(marked(command.mark)).toEqual([])
  })

  it('and what came before the end is not lost', async () => {
    const exit = await shell.run(commandOf('(trap "" TERM; sleep 300) & seq 1 20000'))
    expect(exit).toMatchObject({ reason: 'exited', outputBytes: 108_894 })
    expect(exit.leftBehind).toBeGreaterThan(0)
  })

  it('with all of many that ignore TERM', async () => {
    const command = commandOf(`trap '' TERM; n=0; while test $n -lt 150; do sleep 300 & n=$((n+1)); done; wait`)
    expect(await shell.run({ ...command, timeoutMs: 700 })).toMatchObject({ reason: 'timeout' })
    expect(marked(command.mark)).toEqual([])
  })

  it('with one that flees from session to session', async () => {
    const file = join(temporaryFolder(), 'flee')
    writeFileSync(file, `trap '' TERM; sleep 0.02; setsid sh ${file} &`)
    const command = commandOf(`sh ${file}; sleep 0.1`)
    await shell.run(command)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(marked(command.mark)).toEqual([])
  })
})

it('a tree whose output cannot be written, because the disk is full, is ended, and the cause is named', async () => {
  const folder = temporaryFolder()
  const mark = `shell-contract.${process.pid}.full.`
  const spool = join(folder, 'spool')
  const file = program(folder, commandOf('yes; sleep 300', { mark, spool }))
  // A limit on the size of files stands in for a full disk.
  const exit = await shell.run(commandOf(`ulimit -f 4000; exec "${process.execPath}" ${file}`))
  expect(exit.stdoutTail).toMatch(/^TerminalError cannot write .*spool: EFBIG/)
  expect(marked(mark)).toEqual([])
})

describe('a sweep', () => {
  it('ends what a killed process of ours left running, and nothing else', async () => {
    const folder = temporaryFolder()
    const prefix = `shell-contract.${process.pid}.orphan.`
    const other = spawn('sleep', ['300'], {
      env: { ...process.env, ROPEWALK_MARK: `shell-contract.${process.pid}.other.` },
    })
    onTestFinished(() => void other.kill('SIGKILL'))
    const ours = spawn(
      process.execPath,
      [program(folder, commandOf(threeSleepers(folder), { mark: `${prefix}step-1` }))],
      { stdio: 'inherit' },
    )
    const pids = [
      await pidIn(join(folder, 'plain')),
      await pidIn(join(folder, 'daemon')),
      await pidIn(join(folder, 'bare')),
    ]
    ours.kill('SIGKILL')
    await new Promise((resolve) => ours.once('exit', resolve))
    expect(pids.map(isAlive)).toEqual([true, true, true])
    expect(await shell.sweep(prefix)).toBeGreaterThanOrEqual(3)
    expect(pids.map(isAlive)).toEqual([false, false, false])
    expect(isAlive(other.pid ?? 0)).toBe(true)
    expect(await shell.sweep(prefix)).toBe(0)
  })

  it('without a mark would end everything, and is refused', async () => {
    expect(() => shell.sweep('')).toThrow('mark')
  })
})

/** A line that starts a plain child, a daemon, and one without environment below a marked parent. */
function threeSleepers(folder: string): string {
  const bare = `env -i PATH="${process.env.PATH}" ${sleeper(join(folder, 'bare'))}`
  return `${sleeper(join(folder, 'plain'))} & setsid ${sleeper(join(folder, 'daemon'))} & ${bare} & wait`
}
