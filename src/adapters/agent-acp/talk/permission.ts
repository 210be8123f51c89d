import type { PermissionRequest } from '../../../ports/agent-driver.ts'
import { asText, at, type Json, objectsIn } from '../told/json.ts'
import { detailOf, type Tool } from '../told/updates.ts'

const kinds = ['read', 'edit', 'delete', 'move', 'search', 'execute', 'fetch', 'other']

/** Whether nothing at all has to be asked. */
export const isFree = (may: (request: PermissionRequest) => string): boolean =>
  kinds.every((kind) => may({ kind, title: '' }) === 'allow')

export function requestOf(tool: Tool): PermissionRequest {
  return { kind: kinds.includes(tool.kind) ? tool.kind : 'other', title: detailOf(tool) || tool.kind }
}

/** What the agent wants to hear. Once before always: each time is asked anew. Cancelled when it offers no such thing. */
export function answerWith(answer: 'allow' | 'deny', params: Json): Json {
  const prefix = answer === 'allow' ? 'allow' : 'reject'
  const options = objectsIn(params.options)
  const chosen = [`${prefix}_once`, `${prefix}_always`].flatMap((kind) => options.filter((one) => one.kind === kind))[0]
  const optionId = asText(at(chosen, 'optionId'))
  return optionId === null ? cancelled : { outcome: { outcome: 'selected', optionId } }
}

export const cancelled: Json = { outcome: { outcome: 'cancelled' } }
