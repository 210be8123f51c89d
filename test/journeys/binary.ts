import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'

export const binary = resolve(process.env.ROPEWALK_BINARY ?? 'dist/main.js')

export interface Said {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface Running {
  child: ChildProcess
  /** What it has printed so far. */
  printed(): string
  done: Promise<Said>
}

export interface Start {
  program: string
  args: string[]
  cwd: string
  env: Record<string, string>
  input?: string
}

/** A real process, whose output is kept. */
export function start({ program, args, cwd, env, input }: Start): Running {
  const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
  const said: Said = { code: null, signal: null, stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text
  })
  child.stdin.on('error', () => {})
  if (input !== undefined) child.stdin.end(input)
  const done = new Promise<Said>((settle, fail) => {
    child.on('error', fail)
    child.on('close', (code, signal) => settle({ ...said, code, signal }))
  })
  return { child, printed: () => said.stdout + said.stderr, done }
}

/** Fails with everything that was printed, so that the cause is seen. */
export function exits(said: Said, code: number): Said {
  if (said.code === code) return said
  throw new Error(`exit ${said.code ?? said.signal} instead of ${code}\n${said.stdout}\n${said.stderr}`)
}

/** Looks until it is so; the test's own time limit ends it otherwise. */
export async function until<T>(
  look: () => T | null | undefined | false | Promise<T | null | undefined | false>,
): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== null && found !== undefined && found !== false) return found
    await new Promise((go) => setTimeout(go, 25))
  }
}
