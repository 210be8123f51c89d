// A small coding agent on any model API: the prompt on standard input, one JSON line for each event, 0 when finished.
import { text as readAll } from 'node:stream/consumers'
import { type AskedTurn, lineText, type ModelService, type ProgramLine, readArgument } from './language.ts'
import { type Address, askService } from './model/api.ts'
import { modelFailure } from './model/failure.ts'
import { openMeter } from './model/step.ts'
import type { EndedTurn } from './turn.ts'

declare const ROPEWALK_VERSION: string | undefined
const version = typeof ROPEWALK_VERSION === 'undefined' ? '0.0.0' : ROPEWALK_VERSION

const stop = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, leave)
process.stdout.on('error', () => process.exit(1))
const code = await main(process.argv.slice(2))
// A connection that is kept alive must not keep us alive.
process.stdout.write('', () => process.exit(code))

/** Whoever ends us knows why, so there is no last word; only the running tool must go first. */
function leave(): void {
  stop.abort()
  process.exit(143)
}

async function main([argument = '']: string[]): Promise<number> {
  if (argument === '--version' || argument === '--help') {
    process.stdout.write(`${version}\n`)
    return 0
  }
  try {
    const asked = readArgument(argument)
    return await ('probe' in asked ? tellProbe(addressOf(asked.probe)) : turn(asked))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    return 2
  }
}

// What is below are functions: nothing else is there yet while `main` runs.

function addressOf({ type, url, key }: ModelService): Address {
  return { api: type, url, key: key === null ? null : (process.env[key] ?? '') }
}

async function turn(asked: AskedTurn): Promise<number> {
  const address = addressOf(asked.service)
  const say = (line: ProgramLine): void => void process.stdout.write(lineText(line, address.key))
  const meter = openMeter()
  const { startTurn } = await import('./turn.ts')
  const prompt = await readAll(process.stdin)
  const world = { prompt, address, workspace: process.cwd(), env: process.env, signal: stop.signal, meter, say }
  const { ending, text, model } = await startTurn(asked, world).catch(unforeseen)
  if (!ending.ok && ['rate-limit', 'quota'].includes(ending.error.kind))
    say({ type: 'limit', resetsAt: ending.error.resetsAt })
  say({ type: 'result', ...ending, text, usage: meter.total(), exact: meter.isExact(), model: model ?? asked.model })
  return ending.ok ? 0 : 1
}

/** A full disk, a file of ours that is gone: a turn has an ending, whatever happens. */
function unforeseen(error: unknown): EndedTurn {
  return { ending: { ok: false, error: modelFailure(error, Date.now()) }, text: '', model: null }
}

async function tellProbe(address: Address): Promise<number> {
  const found = await askService(address)
  process.stdout.write(`${JSON.stringify(found)}\n`)
  return found.answers && found.accepted !== false ? 0 : 1
}
