import { type Asked, event, jsonTool, type RawRequest, type Said, textOf, type WireFormat } from '../wire.ts'

export const anthropic: WireFormat = {
  name: 'anthropic',
  read,
  whole: ({ id, model, text, call, usage }) => ({
    ...opening(id, model),
    content: [
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...(call === null ? [] : [{ type: 'tool_use', id: call.id, name: call.tool.name, input: call.input }]),
    ],
    stop_reason: call === null ? 'end_turn' : 'tool_use',
    usage: tokens(usage),
  }),
  stream: ({ id, model, text, call, usage }) => [
    event('message_start', { message: { ...opening(id, model), usage: { ...tokens(usage), output_tokens: 1 } } }),
    event('ping', {}),
    ...(text === '' ? [] : block(0, { type: 'text', text: '' }, { type: 'text_delta', text })),
    ...(call === null ? [] : toolBlock(text === '' ? 0 : 1, call)),
    event('message_delta', {
      delta: { stop_reason: call === null ? 'end_turn' : 'tool_use', stop_sequence: null },
      usage: tokens(usage),
    }),
    event('message_stop', {}),
  ],
  failed: ({ status, code, message }) => {
    const error = { type: code === '' ? (errorTypes[status] ?? 'api_error') : code, message }
    return { body: { type: 'error', error, request_id: 'req_fake' }, inStream: event('error', { error }) }
  },
}

const errorTypes: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

function read({ path, body }: RawRequest): Asked | null {
  if (!/\/messages(?:\/count_tokens)?$/.test(path)) return null
  return {
    format: 'anthropic',
    model: body.model ?? '',
    isStreamed: body.stream === true,
    wantsUsage: true,
    // biome-ignore lint/suspicious/noExplicitAny: a request body is whatever the agent sends
    tools: (body.tools ?? []).map((tool: any) => jsonTool(tool.name, tool.input_schema)),
    said: [{ by: 'system', text: textOf(body.system) }, ...(body.messages ?? []).flatMap(saidIn)],
    session: body.metadata?.user_id ?? null,
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a request body is whatever the agent sends
function saidIn({ role, content }: any): Said[] {
  if (typeof content === 'string') return [{ by: byRole(role), text: content }]
  // biome-ignore lint/suspicious/noExplicitAny: as above
  return content.map((part: any) => ({ by: part.type === 'tool_result' ? 'tool' : byRole(role), text: textOf(part) }))
}

function byRole(role: string): 'model' | 'user' | 'system' {
  if (role === 'assistant') return 'model'
  return role === 'user' ? 'user' : 'system'
}

function opening(id: string, model: string) {
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  }
}

function tokens(usage: { inputTokens: number; outputTokens: number; cachedTokens: number }) {
  return {
    input_tokens: usage.inputTokens - usage.cachedTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cachedTokens,
    output_tokens: usage.outputTokens,
  }
}

function toolBlock(index: number, call: { id: string; tool: { name: string }; input: unknown }) {
  return block(
    index,
    { type: 'tool_use', id: call.id, name: call.tool.name, input: {} },
    { type: 'input_json_delta', partial_json: JSON.stringify(call.input) },
  )
}

function block(index: number, start: object, delta: object) {
  return [
    event('content_block_start', { index, content_block: start }),
    event('content_block_delta', { index, delta }),
    event('content_block_stop', { index }),
  ]
}
