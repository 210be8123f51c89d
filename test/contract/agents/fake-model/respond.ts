import type { ServerResponse } from 'node:http'
import type { Failure } from './failure.ts'
import type { Answer, Asked, StreamPart, Tokens, WireFormat } from './wire.ts'

/** A status; or what became of a stream that had begun, or of a request that was never answered. */
export type Outcome = number | 'error-in-stream' | 'cut' | 'silent'

interface Turn {
  response: ServerResponse
  format: WireFormat
  asked: Asked
  answer: Answer
  failure: Failure | null
}

interface Told {
  outcome: Outcome
  usage: Tokens
}

const nothing: Tokens = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 }

export async function respond(turn: Turn): Promise<Told> {
  if (turn.failure !== null) return await fail(turn, turn.failure)
  const { response, format, asked, answer } = turn
  if (!asked.isStreamed)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(format.whole(answer)))
  else {
    begin(response)
    for (const part of format.stream(answer)) write(response, part)
    response.end()
  }
  return { outcome: 200, usage: answer.usage }
}

/** A failure inside the stream comes after its first part; what that had told of the usage is told. */
async function fail({ response, format, asked, answer }: Turn, failure: Failure): Promise<Told> {
  const { body, inStream } = format.failed(failure.problem)
  if (failure.kind === 'hang' || (failure.kind === 'stall' && !asked.isStreamed)) {
    return { outcome: 'silent', usage: nothing }
  }
  if (failure.kind === 'cut' && !asked.isStreamed) {
    response.destroy()
    return { outcome: 'cut', usage: nothing }
  }
  if (failure.kind === 'status' || !asked.isStreamed) {
    const headers = { 'content-type': 'application/json', ...failure.headers }
    response.writeHead(failure.problem.status, headers).end(JSON.stringify(body))
    return { outcome: failure.problem.status, usage: nothing }
  }
  begin(response)
  write(response, format.stream(answer)[0]!)
  return await spoil(response, { kind: failure.kind, inStream, usage: toldAtOnce(format, answer) })
}

async function spoil(
  response: ServerResponse,
  given: { kind: Failure['kind']; inStream: StreamPart; usage: Tokens },
): Promise<Told> {
  const { kind, inStream, usage } = given
  if (kind === 'stall') return { outcome: 'silent', usage }
  if (kind === 'cut') {
    // What was written must be on its way first, or the caller sees a connection that never began.
    await new Promise((resolve) => setTimeout(resolve, 50))
    response.destroy()
    return { outcome: 'cut', usage }
  }
  write(response, inStream)
  response.end()
  return { outcome: 'error-in-stream', usage }
}

/** Only Anthropic tells the input when a message begins. */
function toldAtOnce({ name }: WireFormat, { usage }: Answer): Tokens {
  return name === 'anthropic' ? { ...usage, outputTokens: 1 } : nothing
}

function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
}

function write(response: ServerResponse, { event, data }: StreamPart): void {
  const name = event === undefined ? '' : `event: ${event}\n`
  response.write(`${name}data: ${data === null ? '[DONE]' : JSON.stringify(data)}\n\n`)
}
