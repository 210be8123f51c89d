// An agent that speaks ACP by hand and does what the script in its first argument says.
// What it hears is kept in heard.jsonl of its working directory.
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'

// What is too long for an argument is made here.
const script = JSON.parse((process.argv[2] ?? '{}').replaceAll('3 MB', 'x'.repeat(3_000_000)))
const waiting = new Map()
let prompt = null
let calls = 100

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const update = (sessionId, value) => send({ method: 'session/update', params: { sessionId, update: value } })
const answer = (id, value) => send(value?.error === undefined ? { id, result: value } : { id, error: value.error })

const steps = {
  update: (value) => update('session-1', value),
  say: (text) => update('session-1', { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }),
  raw: (text) => process.stdout.write(text),
  bytes: (bytes) => process.stdout.write(Buffer.from(bytes)),
  complain: (text) => process.stderr.write(text),
  write: ({ path, text }) => {
    const file = path === 'RESULT' ? process.env.ROPEWALK_RESULT : path
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  },
  run: (line) => execFileSync('sh', ['-c', line], { stdio: 'ignore' }),
  call: ({ method, params }) => {
    const id = calls++
    send({ id, method, params })
    return new Promise((resolve) => waiting.set(id, resolve))
  },
  exit: (code) => process.exit(code),
  kill: () => process.kill(process.pid, 'SIGKILL'),
  hang: () => new Promise(() => {}),
}

const perform = async (list) => {
  for (const step of list ?? []) for (const [name, value] of Object.entries(step)) await steps[name](value)
}

const methods = {
  initialize: async (id) => {
    await perform(script.beforeHello)
    const capabilities = { loadSession: true, ...script.capabilities }
    const hello = {
      protocolVersion: 1,
      agentInfo: { name: 'by-hand', version: '1.2.3' },
      agentCapabilities: capabilities,
    }
    answer(id, { ...hello, ...script.hello })
  },
  authenticate: (id) => answer(id, script.authenticated ?? {}),
  'session/new': (id) => {
    const offer = Array.isArray(script.opened) ? script.opened.shift() : script.opened
    answer(id, offer?.error === undefined ? { sessionId: 'session-1', ...offer } : offer)
  },
  'session/load': async (id) => {
    await perform(script.replay)
    answer(id, script.loaded ?? {})
    await perform(script.lateReplay)
  },
  'session/prompt': async (id) => {
    prompt = id
    await perform(script.turn)
    if (prompt !== null)
      answer(id, script.answer ?? { stopReason: 'end_turn', usage: { inputTokens: 3, outputTokens: 2 } })
    prompt = null
    await perform(script.afterwards)
  },
  'session/cancel': () => {
    if (prompt === null || script.stubborn) return
    answer(prompt, { stopReason: 'cancelled', usage: { inputTokens: 1, outputTokens: 1 } })
    prompt = null
  },
}

process.on('SIGTERM', () => {
  if (script.apologizes && prompt !== null) answer(prompt, { stopReason: 'cancelled' })
  process.exit(0)
})

const lines = createInterface({ input: process.stdin })
lines.on('line', async (line) => {
  appendFileSync('heard.jsonl', `${line}\n`)
  const message = JSON.parse(line)
  if (message.method === undefined) return waiting.get(message.id)?.(message)
  const method = methods[message.method] ?? ((id) => answer(id, script.others?.[message.method] ?? {}))
  await method(message.id)
})
if (!script.stays) lines.on('close', () => process.exit(script.exitCode ?? 0))
