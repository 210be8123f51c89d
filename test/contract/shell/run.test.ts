import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openShell } from '../../../src/adapters/shell/shell.ts'
import { TerminalError } from '../../../src/ports/errors.ts'
import { commandOf, temporaryFolder } from '../shell.ts'

const shell = openShell({ graceMs: 200 })

describe('a command', () => {
  it('runs as a program with arguments, which no shell reads', async () => {
    const args = ['%s|', '$HOME', '`id`', '"quoted"', "it's", 'a b', '']
    const exit = await shell.run(commandOf('', { run: { program: 'printf', args } }))
    expect(exit).toMatchObject({ reason: 'exited', code: 0, stdoutTail: '$HOME|`id`|"quoted"|it\'s|a b||' })
  })

  it('runs as a line, with pipes and quotes', async () => {
    const exit = await shell.run(commandOf('echo "a b" | tr a-z A-Z && echo oops >&2; exit 3'))
    expect(exit).toMatchObject({
      reason: 'exited',
      code: 3,
      signal: null,
      stdoutTail: 'A B\n',
      stderrTail: 'oops\n',
      outputBytes: 9,
      leftBehind: 0,
    })
  })

  it('that kills itself is told from one that exits', async () => {
    expect(await shell.run(commandOf('kill -SEGV $$'))).toMatchObject({
      reason: 'signalled',
      code: null,
      signal: 'SIGSEGV',
    })
  })

  it('gets exactly the environment it is given, and its mark', async () => {
    process.env.CLAUDECODE = '1'
    process.env.CODEX_SANDBOX = 'on'
    const run = { program: '/usr/bin/env', args: [] }
    const exit = await shell.run(commandOf('', { run, env: { ONLY: 'this' }, mark: 'shell-contract.env' }))
    expect(exit.stdoutTail.trim().split('\n').sort()).toEqual(['ONLY=this', 'ROPEWALK_MARK=shell-contract.env'])
  })

  it('tells its pid once', async () => {
    const pids: number[] = []
    const exit = await shell.run(commandOf('echo $$', { onStart: (pid) => pids.push(pid) }))
    expect(pids).toEqual([Number(exit.stdoutTail)])
  })

  it('that does not exist, or cannot be executed, is not found', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'plain'), 'text', { mode: 0o644 })
    const run = (program: string) => shell.run(commandOf('', { run: { program, args: [] }, cwd: folder }))
    expect(await run('ropewalk-no-such-program')).toMatchObject({
      reason: 'not-found',
      code: null,
      stderrTail: 'ropewalk-no-such-program: no such program',
    })
    expect(await run('./missing')).toMatchObject({ reason: 'not-found' })
    expect(await run('./plain')).toMatchObject({ reason: 'not-found', stderrTail: './plain: not executable' })
  })

  it('without its directory is the machine saying no, and names it', async () => {
    const running = shell.run(commandOf('true', { cwd: '/no/such/place' }))
    await expect(running).rejects.toThrow(TerminalError)
    await expect(running).rejects.toThrow('/no/such/place')
  })

  it('too large to start is the machine saying no', async () => {
    const args = ['x'.repeat(3_000_000)]
    await expect(shell.run(commandOf('', { run: { program: 'true', args } }))).rejects.toThrow(TerminalError)
  })
})

describe('standard input', () => {
  it('arrives byte for byte, and ends', async () => {
    const input = `"$HOME" \`id\` $(id) 'é' \\ \t%s\r\n`.repeat(40_000)
    const file = join(temporaryFolder(), 'input')
    expect(await shell.run(commandOf(`cat > ${file}`, { input }))).toMatchObject({ code: 0 })
    expect(input.length).toBeGreaterThan(1_000_000)
    expect(readFileSync(file, 'utf8') === input).toBe(true)
  })

  it('is closed when there is none', async () => {
    expect(await shell.run(commandOf('cat; echo end'))).toMatchObject({ code: 0, stdoutTail: 'end\n' })
  })

  it.each(['true', 'exec <&-; sleep 0.1', 'head -c 1 >/dev/null'])('may be left unread: %s', async (line) => {
    expect(await shell.run(commandOf(line, { input: 'x'.repeat(10_000_000) }))).toMatchObject({ code: 0 })
  })
})

describe('output', () => {
  it('of 10 MB on both streams at once comes whole', async () => {
    const line = 'head -c 10000000 /dev/zero & head -c 10000000 /dev/zero >&2; wait'
    expect(await shell.run(commandOf(line))).toMatchObject({ code: 0, outputBytes: 20_000_000 })
  })

  it('goes to the spool as it comes, for us alone, in place of what was there', async () => {
    const spool = join(temporaryFolder(), 'spool')
    writeFileSync(spool, 'of an earlier try', { mode: 0o644 })
    await shell.run(commandOf('echo one; sleep 0.1; echo two >&2; sleep 0.1; echo three', { spool }))
    expect(readFileSync(spool, 'utf8')).toBe('one\ntwo\nthree\n')
    expect(statSync(spool).mode & 0o777).toBe(0o600)
  })

  it('comes in lines, also the last one without its end, and characters are not torn', async () => {
    const lines: string[] = []
    const line = `printf 'a\\n\\n\\303'; sleep 0.1; printf '\\251b\\nlast'; echo not this >&2`
    await shell.run(commandOf(line, { onLine: (text) => lines.push(text) }))
    expect(lines).toEqual(['a', '', 'éb', 'last'])
  })

  it('of a line over 1 MB is cut, and says so', async () => {
    const lines: string[] = []
    const line = `head -c 3000000 /dev/zero | tr '\\0' x; echo; echo short`
    await shell.run(commandOf(line, { onLine: (text) => lines.push(text) }))
    expect(lines).toHaveLength(2)
    expect(lines[0]?.endsWith('x… [line cut: 3000000 bytes]')).toBe(true)
    expect(lines[0]?.length).toBeLessThan(1_050_000)
    expect(lines[1]).toBe('short')
  })

  it('of a line of 200 MB without an end is cut, says so, and takes little memory', async () => {
    const lines: string[] = []
    const before = process.memoryUsage().rss
    let most = 0
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20)
    const line = `head -c 200000000 /dev/zero | tr '\\0' x`
    await shell.run(commandOf(line, { onLine: (text) => lines.push(text) }))
    clearInterval(watch)
    expect(lines.map((text) => text.slice(-30))).toEqual(['x… [line cut: 200000000 bytes]'])
    expect((most - before) / 1e6).toBeLessThan(100)
  })

  it('that is not UTF-8 comes with marks in place of what cannot be read, and whole in the spool', async () => {
    const lines: string[] = []
    const spool = join(temporaryFolder(), 'spool')
    const line = `printf 'a\\377b\\n\\303\\nc\\200'; printf '\\376' >&2`
    const exit = await shell.run(commandOf(line, { onLine: (text) => lines.push(text), spool }))
    expect(lines).toEqual(['a\ufffdb', '\ufffd', 'c\ufffd'])
    expect(exit).toMatchObject({ stdoutTail: 'a\ufffdb\n\ufffd\nc\ufffd', stderrTail: '\ufffd', outputBytes: 9 })
    expect([...readFileSync(spool)]).toEqual(expect.arrayContaining([0xff, 0xc3, 0x80, 0xfe]))
  })

  it('that is closed is not the end of the command', async () => {
    const exit = await shell.run(commandOf('echo said; exec >&- 2>&-; sleep 0.5; exit 5'))
    expect(exit).toMatchObject({ reason: 'exited', code: 5, stdoutTail: 'said\n' })
  })

  it('of a line that just fits is not cut', async () => {
    const lengths: number[] = []
    const line = `head -c 1048576 /dev/zero | tr '\\0' x; echo; head -c 1048577 /dev/zero | tr '\\0' x; echo`
    await shell.run(commandOf(line, { onLine: (text) => lengths.push(text.indexOf('…')) }))
    expect(lengths).toEqual([-1, 1_048_576])
  })

  it('leaves the last 64 KiB of each stream', async () => {
    const exit = await shell.run(commandOf('seq 1 50000; seq 50001 60000 >&2; printf end'))
    expect(exit.stdoutTail).toHaveLength(65_536)
    expect(exit.stdoutTail.endsWith('49999\n50000\nend')).toBe(true)
    expect(exit.stderrTail.startsWith('50001\n')).toBe(true)
    expect(exit.stderrTail).toHaveLength(60_000)
  })

  it('of 400 MB from ten commands takes little memory', async () => {
    const folder = temporaryFolder()
    const before = process.memoryUsage().rss
    let most = 0
    let seen = 0
    const onLine = () => {
      if (++seen % 10_000 === 0) most = Math.max(most, process.memoryUsage().rss)
    }
    const line = 'yes "a line of text, about as long as most lines are that a program prints" | head -c 40000000'
    const running = Array.from({ length: 10 }, (_, n) => commandOf(line, { onLine, spool: join(folder, `${n}`) }))
    const exits = await Promise.all(running.map(shell.run))
    expect(exits.map((exit) => exit.outputBytes)).toEqual(Array(10).fill(40_000_000))
    expect(statSync(join(folder, '9')).size).toBe(40_000_000)
    expect((most - before) / 1e6).toBeLessThan(100)
  })

  it('that cannot be spooled is the machine saying no, before anything runs', async () => {
    const folder = temporaryFolder()
    const command = commandOf(`touch ${folder}/ran`, { spool: join(folder, 'missing/spool') })
    await expect(shell.run(command)).rejects.toThrow(TerminalError)
    expect(existsSync(join(folder, 'ran'))).toBe(false)
  })
})
