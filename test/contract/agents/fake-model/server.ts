// A model API on loopback that plays scenarios: Anthropic Messages, OpenAI Responses and Chat Completions, Gemini.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { failureIn, messages } from './failure.ts'
import { anthropic } from './formats/anthropic.ts'
import { chat } from './formats/chat.ts'
import { gemini } from './formats/gemini.ts'
import { responses } from './formats/responses.ts'
import { type Outcome, respond } from './respond.ts'
import { type Scene, type Script, sceneOf, stepOf } from './scenario.ts'
import { callFor } from './tools.ts'
import type { Answer, Asked, FormatName, RawRequest, Said, Tokens, WireFormat } from './wire.ts'

export interface FakeModel {
  url: string
  /** Later scripts go before earlier ones, and all of them before SCENARIO: words. */
  script(script: Script): void
  /** Every request for an answer, in the order of their arrival. */
  calls(): ModelCall[]
  /** What all calls since the given one (or since the start) have used, by the API's own count. */
  usage(sinceCall?: number): Tokens
  close(): Promise<void>
}

export interface ModelCall {
  format: FormatName
  model: string
  session: string | null
  /** Not part of a scenario: a title, a suggestion, a classifier. */
  isHidden: boolean
  step: number | null
  /** The prompt that names the scenario. */
  prompt: string
  said: Said[]
  tools: string[]
  /** The tool that the model calls; null: it only speaks. */
  did: string | null
  /** Null while it is not answered. */
  outcome: Outcome | null
  /** What was told to the caller. */
  usage: Tokens
  /** What it counts: also of an answer that broke off after its first piece. */
  billed: Tokens
}

export async function openFakeModel(given: { port?: number; onRequest?: (request: RawRequest) => void } = {}) {
  const state: State = { scripts: [], calls: [], failures: new Map(), onRequest: given.onRequest ?? (() => {}) }
  const server = createServer((request, response) => {
    answer(state, request, response).catch((error: Error) => response.destroy(error))
  })
  await new Promise<void>((resolve) => server.listen(given.port ?? 0, '127.0.0.1', resolve))
  const fake: FakeModel = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    script: (script) => void state.scripts.push(script),
    calls: () => state.calls,
    usage: (sinceCall = 0) => sum(state.calls.slice(sinceCall).map(({ usage }) => usage)),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return fake
}

interface State {
  scripts: Script[]
  calls: ModelCall[]
  /** How often a prompt's failure has happened. */
  failures: Map<string, number>
  onRequest: (request: RawRequest) => void
}

const formats: WireFormat[] = [anthropic, responses, chat, gemini]
const nothing: Tokens = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 }

async function answer(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://fake')
  if (request.method !== 'POST') return send(response, path.endsWith('/models') ? 200 : 404, models(path))
  const raw: RawRequest = { path, query, body: await bodyOf(request) }
  state.onRequest(raw)
  for (const format of formats) {
    const asked = format.read(raw)
    if (asked === null) continue
    if (/count_?tokens$/i.test(path)) return send(response, 200, { input_tokens: 1000, totalTokens: 1000 })
    return await play(state, { asked, format, request, response })
  }
  send(response, 404, { error: { message: `fake: no such path ${path}`, type: 'not_found' } })
}

interface Exchange {
  asked: Asked
  format: WireFormat
  request: IncomingMessage
  response: ServerResponse
}

async function play(state: State, { asked, format, request, response }: Exchange): Promise<void> {
  const scene = asked.tools.length === 0 ? null : sceneOf(asked, state.scripts)
  const call = recorded(state, asked, scene)
  const answer = answerTo(asked, scene, state.calls.length)
  const failure = refusal(request, asked) ?? dueFailure(state, scene)
  const { outcome, usage } = await respond({ response, format, asked, answer, failure })
  call.did = answer.call?.tool.name ?? null
  call.outcome = outcome
  call.usage = usage
  const hasBegun =
    outcome === 'cut' || outcome === 'error-in-stream' || (outcome === 'silent' && failure?.kind === 'stall')
  call.billed = hasBegun && asked.isStreamed ? { ...answer.usage, outputTokens: 1 } : usage
}

function recorded(state: State, asked: Asked, scene: Scene | null): ModelCall {
  const { format, model, session, said } = asked
  const seen = { step: scene?.step ?? null, prompt: scene?.prompt ?? '', tools: asked.tools.map(({ name }) => name) }
  const call: ModelCall = {
    format,
    model,
    session,
    isHidden: scene === null,
    ...seen,
    said,
    did: null,
    outcome: null,
    usage: nothing,
    billed: nothing,
  }
  state.calls.push(call)
  return call
}

/** The figures differ from call to call, so that a sum that leaves one out is wrong. */
function answerTo(asked: Asked, scene: Scene | null, count: number): Answer {
  const step = scene === null ? { say: 'A short title' } : stepOf(scene)
  const id = `fk${count}x${asked.said.length}`
  const given = { tools: asked.tools, folder: folderIn(asked), id: `call_${id}` }
  const call = step.act === undefined ? null : callFor(step.act, given)
  const inputTokens = 1000 + 100 * asked.said.length + count
  const usage = { inputTokens, outputTokens: 20 + count, cachedTokens: asked.said.length > 3 ? 300 : 0 }
  const text = step.act !== undefined && call === null ? `I have no tool to ${step.act.do}.` : step.say
  return { id, model: asked.model, text, call, usage, wantsUsage: asked.wantsUsage }
}

const folderWords = /(?:<cwd>|WORKSPACE:|(?:working|current|in the) directory(?: is)?:?)\s*[`"']?(\/[^\s`"'<]+)/gi

/** Where the agent works, as it tells its model. */
function folderIn({ said }: Asked): string | null {
  const text = said.map((part) => part.text).join('\n')
  const found = [...text.matchAll(folderWords)]
  return found.at(-1)?.[1]?.replace(/[.,;:/]+$/, '') ?? null
}

/** A key or a model that is not known is refused whatever the prompt says. */
function refusal(request: IncomingMessage, { model }: Asked) {
  const { authorization = '', 'x-api-key': key = '', 'x-goog-api-key': google = '' } = request.headers
  if (`${authorization} ${key} ${google}`.includes('wrong-key')) return failureIn('FAIL:401')
  return model.includes('no-such-model') ? failureIn('FAIL:404') : null
}

function dueFailure(state: State, scene: Scene | null) {
  const failure = scene === null ? null : failureIn(scene.prompt)
  if (scene === null || failure === null || failure.step !== scene.step) return null
  const key = failure.as ?? scene.prompt
  const sofar = state.failures.get(key) ?? 0
  state.failures.set(key, sofar + 1)
  return sofar < failure.times ? failure : null
}

function models(path: string) {
  const names = ['fake-model', 'claude-sonnet-4-5', 'gpt-5', 'gemini-2.5-pro']
  if (!path.endsWith('/models')) return { error: { message: messages[404] } }
  const listed = { models: names.map((name) => ({ name: `models/${name}` })) }
  return {
    object: 'list',
    data: names.map((id) => ({ id, object: 'model', type: 'model', owned_by: 'fake' })),
    ...listed,
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const text = Buffer.concat(pieces).toString('utf8')
  return text === '' ? {} : JSON.parse(text)
}

function sum(all: Tokens[]): Tokens {
  return all.reduce(
    (one, other) => ({
      inputTokens: one.inputTokens + other.inputTokens,
      outputTokens: one.outputTokens + other.outputTokens,
      cachedTokens: one.cachedTokens + other.cachedTokens,
    }),
    nothing,
  )
}
