import {
  type Answer,
  type Asked,
  jsonTool,
  type Problem,
  type RawRequest,
  type Said,
  textOf,
  type WireFormat,
} from '../wire.ts'

export const gemini: WireFormat = {
  name: 'gemini',
  read,
  whole,
  // That it is finished, and what it has used, comes with an empty part at the end.
  stream: (answer) => [
    ...partsOf(answer).map((part) => ({ data: piece(answer, [part], false) })),
    { data: piece(answer, [{ text: '' }], true) },
  ],
  failed: (problem) => {
    const error = {
      code: problem.status,
      message: problem.message,
      status: statusName(problem),
      details: details(problem),
    }
    return { body: { error }, inStream: { data: { error } } }
  },
}

function read({ path, query, body }: RawRequest): Asked | null {
  const found = /\/models\/([^/:]+):(generateContent|streamGenerateContent|countTokens)$/.exec(path)
  if (found === null) return null
  // biome-ignore lint/suspicious/noExplicitAny: a request body is whatever the agent sends
  const declared = (body.tools ?? []).flatMap((tool: any) => tool.functionDeclarations ?? [])
  return {
    format: 'gemini',
    model: found[1]!,
    isStreamed: found[2] === 'streamGenerateContent' && query.get('alt') === 'sse',
    wantsUsage: true,
    // biome-ignore lint/suspicious/noExplicitAny: as above
    tools: declared.map((tool: any) => jsonTool(tool.name, tool.parametersJsonSchema ?? tool.parameters)),
    said: [{ by: 'system', text: textOf(body.systemInstruction?.parts) }, ...(body.contents ?? []).flatMap(saidIn)],
    session: null,
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a request body is whatever the agent sends
function saidIn({ role, parts }: any): Said[] {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  return (parts ?? []).map((part: any) => {
    if (part.functionResponse !== undefined) return { by: 'tool', text: JSON.stringify(part.functionResponse.response) }
    return { by: role === 'model' ? 'model' : 'user', text: part.text ?? '' }
  })
}

function whole(answer: Answer) {
  return piece(answer, partsOf(answer), true)
}

function partsOf({ text, call }: Answer): object[] {
  const asked = call === null ? [] : [{ functionCall: { id: call.id, name: call.tool.name, args: call.input } }]
  return [...(text === '' ? [] : [{ text }]), ...asked]
}

function piece({ id, model, usage }: Answer, parts: object[], isLast: boolean) {
  const candidate = { content: { role: 'model', parts }, index: 0, ...(isLast ? { finishReason: 'STOP' } : {}) }
  const usageMetadata = {
    promptTokenCount: usage.inputTokens,
    candidatesTokenCount: usage.outputTokens,
    totalTokenCount: usage.inputTokens + usage.outputTokens,
    cachedContentTokenCount: usage.cachedTokens,
  }
  return { candidates: [candidate], modelVersion: model, responseId: id, ...(isLast ? { usageMetadata } : {}) }
}

function statusName({ status, code }: Problem): string {
  if (code === 'insufficient_quota') return 'RESOURCE_EXHAUSTED'
  return statusNames[status] ?? 'UNKNOWN'
}

const statusNames: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

function details({ code, retryAfterSeconds }: Problem): object[] {
  const type = (name: string) => ({ '@type': `type.googleapis.com/google.rpc.${name}` })
  const perDay = { quotaId: 'GenerateRequestsPerDayPerProjectPerModel', quotaMetric: 'requests' }
  return [
    ...(code === 'insufficient_quota' ? [{ ...type('QuotaFailure'), violations: [perDay] }] : []),
    ...(retryAfterSeconds === null ? [] : [{ ...type('RetryInfo'), retryDelay: `${retryAfterSeconds}s` }]),
  ]
}
