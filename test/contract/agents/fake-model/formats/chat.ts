import {
  type Answer,
  type Asked,
  jsonTool,
  type RawRequest,
  type Said,
  type Tool,
  textOf,
  type WireFormat,
} from '../wire.ts'

/** OpenAI Chat Completions. */
export const chat: WireFormat = {
  name: 'chat',
  read,
  whole: (answer) => ({
    ...opening(answer, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.text === '' ? null : answer.text,
          ...(answer.call === null ? {} : { tool_calls: [toolCall(answer)] }),
        },
        finish_reason: finish(answer),
      },
    ],
    usage: tokens(answer),
  }),
  stream: (answer) => {
    const chunk = (delta: object, reason: string | null = null) => ({
      data: { ...opening(answer, 'chat.completion.chunk'), choices: [{ index: 0, delta, finish_reason: reason }] },
    })
    return [
      chunk({ role: 'assistant', content: '' }),
      ...(answer.text === '' ? [] : [chunk({ content: answer.text })]),
      ...(answer.call === null ? [] : [chunk({ tool_calls: [{ index: 0, ...toolCall(answer) }] })]),
      chunk({}, finish(answer)),
      ...(answer.wantsUsage
        ? [{ data: { ...opening(answer, 'chat.completion.chunk'), choices: [], usage: tokens(answer) } }]
        : []),
      { data: null },
    ]
  },
  failed: ({ status, code, message }) => {
    const error = {
      message,
      type: code === '' ? openaiType(status) : code,
      code: code === '' ? status : code,
      param: null,
    }
    return { body: { error }, inStream: { data: { error } } }
  },
}

export function openaiType(status: number): string {
  if (status === 429) return 'rate_limit_exceeded'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}

function read({ path, body }: RawRequest): Asked | null {
  if (!path.endsWith('/chat/completions')) return null
  return {
    format: 'chat',
    model: body.model ?? '',
    isStreamed: body.stream === true,
    wantsUsage: body.stream_options?.include_usage === true,
    tools: (body.tools ?? []).map(toolIn),
    said: (body.messages ?? []).map(saidIn),
    session: body.user ?? body.prompt_cache_key ?? null,
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a request body is whatever the agent sends
function toolIn(tool: any): Tool {
  if (tool.type === 'custom') return { ...jsonTool(tool.custom?.name ?? tool.name, {}), shape: 'custom' }
  return jsonTool(tool.function?.name ?? tool.name, tool.function?.parameters)
}

// biome-ignore lint/suspicious/noExplicitAny: a request body is whatever the agent sends
function saidIn({ role, content }: any): Said {
  const by = ({ user: 'user', assistant: 'model', tool: 'tool' } as const)[role as 'user'] ?? 'system'
  return { by, text: textOf(content) }
}

function opening({ id, model }: Answer, object: string) {
  return { id: `chatcmpl-${id}`, object, created: 1_700_000_000, model }
}

function finish({ call }: Answer): string {
  return call === null ? 'stop' : 'tool_calls'
}

function toolCall({ call }: Answer) {
  if (typeof call!.input === 'string') {
    return { id: call!.id, type: 'custom', custom: { name: call!.tool.name, input: call!.input } }
  }
  return { id: call!.id, type: 'function', function: { name: call!.tool.name, arguments: JSON.stringify(call!.input) } }
}

function tokens({ usage }: Answer) {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: { cached_tokens: usage.cachedTokens },
  }
}
