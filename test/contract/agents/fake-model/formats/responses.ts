import {
  type Answer,
  type Asked,
  event,
  jsonTool,
  type RawRequest,
  type Said,
  type Tool,
  textOf,
  type WireFormat,
} from '../wire.ts'
import { openaiType } from './chat.ts'

/** OpenAI Responses. */
export const responses: WireFormat = {
  name: 'responses',
  read,
  whole: (answer) => ({ ...opening(answer, 'completed'), output: items(answer), usage: tokens(answer) }),
  stream: (answer) => [
    event('response.created', { response: { ...opening(answer, 'in_progress'), output: [] } }),
    ...items(answer).flatMap((item, index) => itemEvents(item, index)),
    event('response.completed', {
      response: { ...opening(answer, 'completed'), output: items(answer), usage: tokens(answer) },
    }),
  ],
  failed: ({ status, code, message }) => {
    const error = {
      message,
      type: code === '' ? openaiType(status) : code,
      code: code === '' ? null : code,
      param: null,
    }
    const told = { code: code === '' ? openaiType(status) : code, message }
    return {
      body: { error },
      inStream: event('response.failed', {
        response: { id: 'resp_failed', object: 'response', status: 'failed', error: told },
      }),
    }
  },
}

function read({ path, body }: RawRequest): Asked | null {
  if (!path.endsWith('/responses')) return null
  const input = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : (body.input ?? [])
  // biome-ignore lint/suspicious/noExplicitAny: a request body is whatever the agent sends
  const added = input.filter((item: any) => item.type === 'additional_tools').flatMap((item: any) => item.tools ?? [])
  return {
    format: 'responses',
    model: body.model ?? '',
    isStreamed: body.stream === true,
    wantsUsage: true,
    tools: [...(body.tools ?? []), ...added].flatMap(toolsIn),
    said: [{ by: 'system', text: body.instructions ?? '' }, ...input.map(saidIn)],
    session: body.prompt_cache_key ?? null,
  }
}

/** A namespace holds tools; they are called by their own names, and it is told beside them. */
// biome-ignore lint/suspicious/noExplicitAny: a request body is whatever the agent sends
function toolsIn(tool: any): Tool[] {
  return tool.type === 'namespace'
    ? (tool.tools ?? []).map((one: unknown) => ({ ...toolIn(one), namespace: tool.name }))
    : [toolIn(tool)]
}

// biome-ignore lint/suspicious/noExplicitAny: a request body is whatever the agent sends
function toolIn(tool: any): Tool {
  if (tool.type === 'local_shell') return { ...jsonTool('local_shell', {}), shape: 'local-shell' }
  const description = tool.description ?? ''
  const isCode = tool.name === 'exec' && /javascript/i.test(description)
  if (tool.type === 'custom') return { ...jsonTool(tool.name, {}), shape: isCode ? 'code' : 'custom', description }
  return jsonTool(tool.name ?? tool.type, tool.parameters)
}

// biome-ignore lint/suspicious/noExplicitAny: a request body is whatever the agent sends
function saidIn(item: any): Said {
  if (/_output$/.test(item.type ?? '')) return { by: 'tool', text: textOf(item.output) }
  if (item.role === 'user') return { by: 'user', text: textOf(item.content) }
  const isModel = item.role === 'assistant' || /_call$|^reasoning$/.test(item.type ?? '')
  return { by: isModel ? 'model' : 'system', text: textOf(item.content) }
}

function opening({ id, model }: Answer, status: string) {
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: 1_700_000_000,
    model,
    status,
    error: null,
    incomplete_details: null,
    parallel_tool_calls: false,
  }
}

interface Item {
  id: string
  type: string
  [field: string]: unknown
}

function items({ id, text, call }: Answer): Item[] {
  const content = [{ type: 'output_text', text, annotations: [] }]
  const message = { id: `msg_${id}`, type: 'message', role: 'assistant', status: 'completed', content }
  return [...(text === '' ? [] : [message]), ...(call === null ? [] : [callItem(call)])]
}

function callItem({ id, tool, input }: NonNullable<Answer['call']>): Item {
  const own = { call_id: id, status: 'completed' }
  if (tool.shape === 'local-shell') return { id: `lsh_${id}`, type: 'local_shell_call', ...own, action: input }
  if (typeof input === 'string') return { id: `ctc_${id}`, type: 'custom_tool_call', ...own, name: tool.name, input }
  const within = tool.namespace === undefined ? {} : { namespace: tool.namespace }
  return { id: `fc_${id}`, type: 'function_call', ...own, ...within, name: tool.name, arguments: JSON.stringify(input) }
}

function itemEvents(item: Item, index: number) {
  const at = { output_index: index, item_id: item.id }
  return [
    event('response.output_item.added', { output_index: index, item: begun(item) }),
    ...(item.type === 'message' ? textEvents(item, at) : []),
    ...(item.type === 'function_call'
      ? [event('response.function_call_arguments.delta', { ...at, delta: item.arguments })]
      : []),
    ...(item.type === 'custom_tool_call'
      ? [event('response.custom_tool_call_input.delta', { ...at, delta: item.input })]
      : []),
    event('response.output_item.done', { output_index: index, item }),
  ]
}

function begun(item: Item): Item {
  const empty = { message: { content: [] }, function_call: { arguments: '' }, custom_tool_call: { input: '' } }
  return { ...item, status: 'in_progress', ...empty[item.type as 'message'] }
}

function textEvents(item: Item, at: object) {
  const text = textOf(item.content)
  const place = { ...at, content_index: 0 }
  return [
    event('response.content_part.added', { ...place, part: { type: 'output_text', text: '', annotations: [] } }),
    event('response.output_text.delta', { ...place, delta: text }),
    event('response.output_text.done', { ...place, text }),
  ]
}

function tokens({ usage }: Answer) {
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: { cached_tokens: usage.cachedTokens },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.inputTokens + usage.outputTokens,
  }
}
