import type { ChildProcess } from 'node:child_process'
import { createWriteStream, openSync, rmSync, type WriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { TerminalError } from '../../ports/errors.ts'
import type { Command, Exit } from '../../ports/shell.ts'
import type { Redactor } from './redaction.ts'

export type ChildOutput = ReturnType<typeof openChildOutput>

const tailBytes = 64 * 1024
const spoolBufferBytes = 256 * 1024
const quietMs = 200

/** What a command prints: the tails, the spool without secrets, and the lines. Holds no more than its buffers, whatever comes. */
export function openChildOutput(command: Pick<Command, 'spool' | 'onLine'>, redactor: Pick<Redactor, 'stream'>) {
  const tails = { stdout: openTail(tailBytes), stderr: openTail(tailBytes) }
  const lines = command.onLine === null ? null : openLines(command.onLine)
  const spool = command.spool === null ? null : openSpool(command.spool)
  const redacted = { stdout: redactor.stream(), stderr: redactor.stream() }
  let streams: Readable[] = []
  let bytes = 0

  function take(chunk: Buffer, from: keyof typeof redacted): void {
    bytes += chunk.length
    if (spool === null || spool.stream.errored !== null || spool.stream.write(redacted[from].add(chunk))) return
    for (const stream of streams) stream.pause()
    spool.stream.once('drain', () => {
      for (const stream of streams) stream.resume()
    })
  }

  return {
    attach(child: ChildProcess, sawOutput: () => void): void {
      streams = [child.stdout, child.stderr].filter((stream) => stream !== null)
      child.stdout?.on('data', (chunk: Buffer) => {
        tails.stdout.add(chunk)
        take(chunk, 'stdout')
        sawOutput()
        lines?.add(chunk)
      })
      child.stderr?.on('data', (chunk: Buffer) => {
        tails.stderr.add(chunk)
        take(chunk, 'stderr')
        sawOutput()
      })
    },
    /** Rejects when the spool cannot be written; never resolves. */
    broken: spool?.broken ?? new Promise<never>(() => {}),
    /** When the tree is gone: reads what is still in the pipes, and closes everything. */
    async finish(): Promise<void> {
      await drain(streams, () => bytes)
      lines?.end()
      await spool?.close(Buffer.concat([redacted.stdout.end(), redacted.stderr.end()]))
    },
    told: (): Pick<Exit, 'stdoutTail' | 'stderrTail' | 'outputBytes'> => ({
      stdoutTail: tails.stdout.text(),
      stderrTail: tails.stderr.text(),
      outputBytes: bytes,
    }),
  }
}

/** A process that left the tree may hold a pipe open for ever: silence ends the wait. */
async function drain(streams: Readable[], bytesRead: () => number): Promise<void> {
  const closed = Promise.all(
    streams.map((stream) => stream.closed || new Promise<void>((resolve) => stream.once('close', resolve))),
  )
  for (;;) {
    const before = bytesRead()
    const timer = new AbortController()
    const quiet = sleep(quietMs, 'quiet' as const, { signal: timer.signal }).catch(() => 'quiet' as const)
    const first = await Promise.race([closed, quiet])
    timer.abort()
    if (first !== 'quiet') return
    // On a busy machine the time may be over before anybody has looked into the pipes: they are read before this comes.
    await setImmediate()
    if (bytesRead() === before && !streams.some((stream) => stream.isPaused()))
      for (const stream of streams) stream.destroy()
  }
}

/** A fresh file that only we can read: what an earlier try left under this name is not mixed with ours. */
function openSpool(path: string): {
  stream: WriteStream
  broken: Promise<never>
  close: (rest: Buffer) => Promise<void>
} {
  let fd: number
  try {
    rmSync(path, { force: true })
    fd = openSync(path, 'wx', 0o600)
  } catch (error) {
    throw unwritable(path, error as Error)
  }
  const stream = createWriteStream(path, { fd, highWaterMark: spoolBufferBytes })
  const broken = new Promise<never>((_, reject) => {
    stream.once('error', (error) => {
      stream.emit('drain')
      reject(unwritable(path, error))
    })
  })
  broken.catch(() => {})
  const closed = new Promise<void>((resolve) => stream.once('close', resolve))
  const close = async (rest: Buffer) => {
    stream.end(rest)
    await closed
    if (stream.errored !== null) await broken
  }
  return { stream, broken, close }
}

function unwritable(path: string, error: Error): TerminalError {
  return new TerminalError(`cannot write ${path}: ${error.message}`, 'Free some space, then resume.')
}

/** The last `size` bytes of a stream, in memory that never grows. */
function openTail(size: number) {
  const ring = Buffer.allocUnsafe(size)
  let total = 0
  return {
    add(chunk: Buffer): void {
      const part = chunk.length > size ? chunk.subarray(chunk.length - size) : chunk
      const at = (total + chunk.length - part.length) % size
      const fits = Math.min(part.length, size - at)
      part.copy(ring, at, 0, fits)
      part.copy(ring, 0, fits)
      total += chunk.length
    },
    text(): string {
      if (total <= size) return ring.toString('utf8', 0, total)
      const at = total % size
      const bytes = Buffer.concat([ring.subarray(at), ring.subarray(0, at)])
      return bytes.toString('utf8', firstWholeCharacter(bytes))
    },
  }
}

/** Past the continuation bytes of a character whose head was cut off. */
function firstWholeCharacter(bytes: Buffer): number {
  let at = 0
  while (at < 3 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++
  return at
}

const longestLineBytes = 1024 * 1024

/** Cuts a stream of chunks into lines. Of a line that is too long the head is kept, and the line says so. */
function openLines(onLine: (line: string) => void) {
  let held = Buffer.alloc(0)
  let heldBytes = 0
  let lineBytes = 0

  function hold(part: Buffer): void {
    const kept = Math.min(part.length, longestLineBytes - heldBytes)
    if (heldBytes + kept > held.length) {
      const larger = Buffer.allocUnsafe(Math.min(longestLineBytes, 2 * (heldBytes + kept)))
      held.copy(larger, 0, 0, heldBytes)
      held = larger
    }
    part.copy(held, heldBytes, 0, kept)
    heldBytes += kept
    lineBytes += part.length
  }

  function release(): void {
    const text = held.toString('utf8', 0, heldBytes)
    const cut = lineBytes > heldBytes
    held = Buffer.alloc(0)
    onLine(cut ? `${text}… [line cut: ${lineBytes} bytes]` : text)
    heldBytes = 0
    lineBytes = 0
  }

  return {
    add(chunk: Buffer): void {
      let from = 0
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
        if (lineBytes === 0 && at - from <= longestLineBytes) onLine(chunk.toString('utf8', from, at))
        else {
          hold(chunk.subarray(from, at))
          release()
        }
        from = at + 1
      }
      if (from < chunk.length) hold(chunk.subarray(from))
    },
    /** The last line may lack its newline. */
    end(): void {
      if (lineBytes > 0) release()
    },
  }
}
