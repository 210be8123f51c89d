// What the tests of the shell share: a command with harmless defaults, and eyes that are not the shell's own.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Command } from '../../src/ports/shell.ts'

let commands = 0

export function commandOf(line: string, over: Partial<Command> = {}): Command {
  return {
    run: { line },
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? '' },
    input: '',
    mark: `shell-contract.${process.pid}.${++commands}.`,
    timeoutMs: 60_000,
    idleTimeoutMs: null,
    isWaiting: null,
    done: null,
    confine: null,
    signal: new AbortController().signal,
    spool: null,
    onLine: null,
    onStart: null,
    ...over,
  }
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ropewalk-shell-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Waits until the file holds a line with a pid. */
export async function pidIn(file: string): Promise<number> {
  for (;;) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    if (text.endsWith('\n')) return Number(text)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** A zombie is dead. */
export function isAlive(pid: number): boolean {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'latin1') : ''
  return stat !== '' && !/\) [ZX] /.test(stat)
}

export function marked(mark: string): string[] {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && environmentOf(pid).includes(`ROPEWALK_MARK=${mark}`))
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return ''
  }
}
