// Takes an agent's answer by a tool, over the Model Context Protocol: JSON lines on standard input and output. With
// --once it takes the one answer that is in a file, and exits with 0 when it does.
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { type Submission, submissionFile } from '../roles/answer/shape.ts'
import { replyTo, type Taker, takeAnswer } from './submit-protocol.ts'

declare const ROPEWALK_VERSION: string | undefined
const version = typeof ROPEWALK_VERSION === 'undefined' ? '0.0.0' : ROPEWALK_VERSION

const args = process.argv.slice(2)
const [once, given] = args[0] === '--once' ? [args[1] ?? '', args[2]] : [null, args[0]]
const resultFile = given ?? process.env.ROPEWALK_RESULT ?? ''
const taker: Taker = { submission: submissionAt(submissionFile(resultFile)), version, keep }
if (once === null) serve()
else process.exitCode = takeOnce(once)

function submissionAt(path: string): Submission | null {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Submission) : null
}

/** Where two answers that differ are none, both must be seen. */
function keep(answer: unknown): string | null {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_TRUNC, O_WRONLY } = constants
  const how = taker.submission?.rivals === 'none' ? O_APPEND : O_TRUNC
  try {
    // Not through a link, and not into a pipe, that somebody has put there.
    const file = openSync(resultFile, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | how, 0o600)
    if (fstatSync(file).isFile()) writeFileSync(file, `${JSON.stringify(answer)}\n`)
    closeSync(file)
    return null
  } catch (error) {
    const trouble = error instanceof Error ? error.message : String(error)
    process.stderr.write(`the answer could not be written: ${trouble}\n`)
    return trouble
  }
}

function serve(): void {
  process.stdout.on('error', () => process.exit(0))
  createInterface({ input: process.stdin }).on('line', (line) => {
    const reply = replyTo(parsed(line), taker)
    if (reply !== null) process.stdout.write(`${JSON.stringify(reply)}\n`)
  })
}

function parsed(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line)
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function takeOnce(file: string): number {
  const answer: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const { submission } = taker
  const { ok, text } =
    submission === null ? { ok: false, text: 'No answer is wanted.' } : takeAnswer(submission, answer, keep)
  process.stdout.write(`${text}\n`)
  return ok ? 0 : 1
}
