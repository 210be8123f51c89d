// The built-in agent as the program that it is, in a folder of its own.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export const key = 'sk-canary-0123456789'

export interface Ran {
  code: number | null
  lines: Record<string, unknown>[]
  result: { ok: boolean; error?: { kind: string; message: string }; text: string; usage: object } | undefined
  output: string
}

/** Built from these sources, alone. */
export function builtBundle(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ropewalk-builtin-'))
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs', folder, 'agent-builtin'])
  if (status !== 0) throw new Error(`the built-in agent was not built: ${stderr}`)
  return join(folder, 'agent-builtin.js')
}

export function openRig(bundle: string, { api, url }: { api: 'anthropic' | 'compatible'; url: string }) {
  const folder = mkdtempSync(join(tmpdir(), 'ropewalk-agent-'))
  const workspace = join(folder, 'workspace')
  mkdirSync(workspace)
  const resultFile = join(folder, 'result.json')
  const service = { type: api, url, key: 'FAKE_KEY' }
  const usual = {
    home: folder,
    session: 's1',
    resume: false,
    model: 'fake-model',
    submit: null,
    maxTurns: null,
    service,
  }
  return {
    workspace,
    resultFile,
    service,
    sessionLines: () =>
      readFileSync(join(folder, 'sessions', 's1.jsonl'), 'utf8')
        .trimEnd()
        .split('\n'),
    run: (prompt: string, more: object = {}) =>
      run([bundle, JSON.stringify({ ...usual, ...more })], { prompt, workspace, resultFile }),
  }
}

async function run(args: string[], given: { prompt: string; workspace: string; resultFile: string }): Promise<Ran> {
  const env = { PATH: process.env.PATH, FAKE_KEY: key, SHORT_KEY: 'text', ROPEWALK_RESULT: given.resultFile }
  const child = spawn(process.execPath, args, { cwd: given.workspace, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  child.stdin.end(given.prompt)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  const lines = output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  return { code, lines, output, result: lines.find(({ type }) => type === 'result') }
}

export interface Reply {
  status: number
  body: string
}

/** A chat service that answers as it is told; `asked` are the bodies of the requests. */
export async function openChat(reply: (body: string, number: number) => Reply) {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    asked.push(body)
    const { status, body: answer } = reply(body, asked.length)
    response
      .writeHead(status, { 'content-type': status === 200 ? 'text/event-stream' : 'application/json' })
      .end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

/** One piece of a chat stream for each choice, and no more than that. */
export function chatStream(...choices: object[]): Reply {
  const pieces = choices.map((choice) => ({ id: '1', created: 1, model: 'm', choices: [{ index: 0, ...choice }] }))
  return { status: 200, body: pieces.map((piece) => `data: ${JSON.stringify(piece)}\n\n`).join('') }
}

export const says = (content: string, finish_reason = 'stop') =>
  chatStream({ delta: { content } }, { delta: {}, finish_reason })

export const calls = (name: string, input: object, id = 'c1') =>
  chatStream(
    {
      delta: { tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(input) } }] },
    },
    { delta: {}, finish_reason: 'tool_calls' },
  )
