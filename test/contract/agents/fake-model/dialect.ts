// How a caller speaks each wire format, for trying the fake by plain fetch.
import type { FormatName } from './wire.ts'

export interface Dialect {
  format: FormatName
  path(model: string, isStreamed: boolean): string
  body(given: { model: string; prompt: string; isStreamed: boolean; answered: number }): object
  /** All that was said, the name of the tool that is called, and the input tokens, in a whole answer. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer is read as its format has it
  read(answer: any): { text: string; tool: string | null; input: number; cached: number; output: number }
  // biome-ignore lint/suspicious/noExplicitAny: as above
  error(body: any): string
}

const schema = {
  type: 'object',
  properties: { file_path: { type: 'string' }, content: { type: 'string' } },
  required: ['file_path', 'content'],
}
const shell = { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] }
const offered = [
  { name: 'write_file', schema },
  { name: 'bash', schema: shell },
]

/** One exchange per tool result that is already there. */
function exchanges<T>(count: number, exchange: (id: string) => T[]): T[] {
  return Array.from({ length: count }, (_, at) => exchange(`call_${at}`)).flat()
}

export const dialects: Dialect[] = [
  {
    format: 'anthropic',
    path: () => '/v1/messages',
    body: ({ model, prompt, isStreamed, answered }) => ({
      model,
      max_tokens: 100,
      stream: isStreamed,
      tools: offered.map(({ name, schema }) => ({ name, input_schema: schema })),
      messages: [
        { role: 'user', content: [{ type: 'text', text: prompt }] },
        ...exchanges(answered, (id) => [
          { role: 'assistant', content: [{ type: 'tool_use', id, name: 'bash', input: {} }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'fine' }] },
        ]),
      ],
    }),
    read: ({ content, usage }) => ({
      text: content.find((part: { type: string }) => part.type === 'text')?.text ?? '',
      tool: content.find((part: { type: string }) => part.type === 'tool_use')?.name ?? null,
      input: usage.input_tokens + usage.cache_read_input_tokens,
      cached: usage.cache_read_input_tokens,
      output: usage.output_tokens,
    }),
    error: ({ error }) => error.message,
  },
  {
    format: 'responses',
    path: () => '/v1/responses',
    body: ({ model, prompt, isStreamed, answered }) => ({
      model,
      stream: isStreamed,
      tools: offered.map(({ name, schema }) => ({ type: 'function', name, parameters: schema })),
      input: [
        { role: 'user', content: [{ type: 'input_text', text: prompt }] },
        ...exchanges<object>(answered, (id) => [
          { type: 'function_call', call_id: id, name: 'bash', arguments: '{}' },
          { type: 'function_call_output', call_id: id, output: 'fine' },
        ]),
      ],
    }),
    read: ({ output, usage }) => ({
      text: output.find((item: { type: string }) => item.type === 'message')?.content[0].text ?? '',
      tool: output.find((item: { type: string }) => item.type === 'function_call')?.name ?? null,
      input: usage.input_tokens,
      cached: usage.input_tokens_details.cached_tokens,
      output: usage.output_tokens,
    }),
    error: ({ error }) => error.message,
  },
  {
    format: 'chat',
    path: () => '/v1/chat/completions',
    body: ({ model, prompt, isStreamed, answered }) => ({
      model,
      stream: isStreamed,
      stream_options: { include_usage: true },
      tools: offered.map(({ name, schema }) => ({ type: 'function', function: { name, parameters: schema } })),
      messages: [
        { role: 'user', content: prompt },
        ...exchanges<object>(answered, (id) => [
          { role: 'assistant', tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: '{}' } }] },
          { role: 'tool', tool_call_id: id, content: 'fine' },
        ]),
      ],
    }),
    read: ({ choices: [{ message }], usage }) => ({
      text: message.content ?? '',
      tool: message.tool_calls?.[0].function.name ?? null,
      input: usage.prompt_tokens,
      cached: usage.prompt_tokens_details.cached_tokens,
      output: usage.completion_tokens,
    }),
    error: ({ error }) => error.message,
  },
  {
    format: 'gemini',
    path: (model, isStreamed) =>
      `/v1beta/models/${model}:${isStreamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: ({ prompt, answered }) => ({
      tools: [{ functionDeclarations: offered.map(({ name, schema }) => ({ name, parameters: schema })) }],
      contents: [
        { role: 'user', parts: [{ text: prompt }] },
        ...exchanges<object>(answered, () => [
          { role: 'model', parts: [{ functionCall: { name: 'bash', args: {} } }] },
          { role: 'user', parts: [{ functionResponse: { name: 'bash', response: { output: 'fine' } } }] },
        ]),
      ],
    }),
    read: ({ candidates: [{ content }], usageMetadata }) => ({
      text: content.parts.find((part: { text?: string }) => part.text !== undefined)?.text ?? '',
      tool:
        content.parts.find((part: { functionCall?: object }) => part.functionCall !== undefined)?.functionCall.name ??
        null,
      input: usageMetadata.promptTokenCount,
      cached: usageMetadata.cachedContentTokenCount,
      output: usageMetadata.candidatesTokenCount,
    }),
    error: ({ error }) => error.message,
  },
]
