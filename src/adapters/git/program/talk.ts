import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import type { Socket } from 'node:net'
import { tell } from '../../../std/running.ts'
import { again, died, diedText, type Ended } from './failures.ts'
import { bulkTimeoutMs, type GitCall, gitFailure, killGroup, saidBy, startGit } from './run.ts'

/** The answer at the beginning of what was said, and where it ends; a number: so much must have come before one looks again. */
export type AnswerReader<Answer> = (said: Buffer, question: string) => { answer: Answer; bytes: number } | number

export interface Talk<Answer> {
  ask(question: string): Promise<Answer>
  /** For questions that may be refused: git ends then, and the next question goes to another. */
  tryAsk(question: string): Promise<{ answer: Answer } | { refused: Ended }>
}

/** A git that stays and answers one question after the other; one that dies is replaced, and asked again. */
export function talkTo<Answer>(prepare: () => GitCall, read: AnswerReader<Answer>): Talk<Answer> {
  let line: Line<Answer> | null = null
  const first = async (question: string): Promise<Reply<Answer>> => {
    for (;;) {
      if (line?.diedAlone) tell(`${diedText(prepare().args, line.diedAlone)}, and was replaced`)
      if (line === null || line.isOver) line = new Line(prepare(), read)
      const reply = await line.ask(question)
      if (reply !== 'not heard') return reply
    }
  }
  const tryAsk = async (question: string) => {
    const reply = await again(prepare().args, () => first(question))
    return reply.answer === undefined ? { refused: reply } : { answer: reply.answer.value }
  }
  const ask = async (question: string) => {
    const reply = await tryAsk(question)
    if ('refused' in reply) throw gitFailure(prepare(), reply.refused)
    return reply.answer
  }
  return { ask, tryAsk }
}

type Reply<Answer> = Ended & { answer?: { value: Answer } }

interface Waiting<Answer> {
  question: string
  heard(reply: Reply<Answer> | 'not heard'): void
  failed(error: Error): void
}

const nothing = { signal: null, stdout: Buffer.alloc(0), stderr: '', cut: false, late: false }

/** One such git, from its first question to its end. It keeps our process alive only while somebody waits for it. */
const longestGoodbyeMs = 2_000

/** Those that have not ended. Our own end waits for them: nothing of ours is alive after it. */
const lines = new Set<{ leave(): void }>()
const leaveAll = (): void => {
  for (const line of lines) line.leave()
}

class Line<Answer> {
  isOver = false
  /** While nobody waited for it. */
  diedAlone: Ended | null = null
  private readonly child: ChildProcessWithoutNullStreams
  private readonly read: AnswerReader<Answer>
  private readonly waiting: Waiting<Answer>[] = []
  private readonly timer: NodeJS.Timeout
  private said: Buffer[] = []
  private bytes = 0
  private least = 1
  private late = false

  constructor(call: GitCall, read: AnswerReader<Answer>) {
    this.read = read
    this.child = startGit(call, (error) => {
      this.isOver = true
      for (const { failed } of this.waiting.splice(0)) failed(error)
    })
    const stderr = saidBy(this.child)
    this.child.stdout.on('data', (chunk: Buffer) => this.hear(chunk))
    this.child.on('exit', () => {
      this.isOver = true
    })
    this.child.on('close', (code, signal) => this.end({ ...nothing, code, signal, stderr: stderr(), late: this.late }))
    this.timer = setTimeout(() => this.dismiss(), bulkTimeoutMs).unref()
    if (!process.listeners('beforeExit').includes(leaveAll)) process.on('beforeExit', leaveAll)
    lines.add(this)
  }

  ask(question: string): Promise<Reply<Answer> | 'not heard'> {
    return new Promise((heard, failed) => {
      this.waiting.push({ question, heard, failed })
      this.hold()
      this.timer.refresh()
      this.child.stdin.write(question)
    })
  }

  private hear(chunk: Buffer): void {
    this.timer.refresh()
    this.said.push(chunk)
    this.bytes += chunk.length
    if (this.bytes < this.least) return
    let said = Buffer.concat(this.said)
    for (this.least = 1; this.waiting.length > 0 && said.length > 0; ) {
      const found = this.read(said, this.waiting[0]!.question)
      if (typeof found === 'number') {
        this.least = found
        break
      }
      said = said.subarray(found.bytes)
      this.waiting.shift()?.heard({ ...nothing, code: 0, answer: { value: found.answer } })
    }
    this.said = [said]
    this.bytes = said.length
    this.hold()
  }

  private hold(): void {
    const { stdin, stdout, stderr } = this.child
    const how = this.waiting.length > 0 ? 'ref' : 'unref'
    for (const part of [this.child, stdin as Socket, stdout as Socket, stderr as Socket]) part[how]()
  }

  /** Whoever is first was the one that it ended for; the others ask again. */
  private end(ended: Ended): void {
    this.isOver = true
    lines.delete(this)
    clearTimeout(this.timer)
    const [first, ...others] = this.waiting.splice(0)
    if (first === undefined && died(ended)) this.diedAlone = ended
    first?.heard({ ...ended, code: ended.code === 0 ? -1 : ended.code })
    for (const { heard } of others) heard('not heard')
  }

  /** Nobody is left who could ask. */
  leave(): void {
    lines.delete(this)
    this.child.ref()
    this.dismiss()
    setTimeout(() => killGroup(this.child), longestGoodbyeMs).unref()
  }

  /** Nobody has asked for a long time, or it does not answer. */
  private dismiss(): void {
    this.late = this.waiting.length > 0
    this.isOver = true
    if (this.late) killGroup(this.child)
    else this.child.stdin.end()
  }
}
