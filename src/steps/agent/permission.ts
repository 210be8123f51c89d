import type { AgentPolicy } from '../../delivery/policy.ts'
import type { PermissionRequest } from '../../ports/agent-driver.ts'

/** What an agent may do without a human: what the settings or a human's earlier answer allow. */
export function mayDo(
  { permissions, allow }: AgentPolicy,
  { grants, redact }: { grants: string[]; redact: Redact },
  asked: PermissionRequest,
): 'allow' | 'deny' | 'ask' {
  if (permissions === 'bypass' || grants.includes(permissionText(asked, redact))) return 'allow'
  return allow.some((rule) => covers(rule, asked)) ? 'allow' : 'ask'
}

/** How a permission is written in the log, and in a grant. */
export const permissionText = ({ kind, title }: PermissionRequest, redact: Redact): string =>
  redact(`${kind}: ${title}`).slice(0, 1_000)

type Redact = (text: string) => string

/** `edit` covers every edit, `execute: npm test*` what begins so. A line of several commands is none of them. */
function covers(rule: string, { kind, title }: PermissionRequest): boolean {
  const [wanted = '', ...rest] = rule.split(':')
  if (wanted.trim() !== kind) return false
  const pattern = rest.join(':').trim()
  if (pattern === '') return true
  if (!pattern.endsWith('*')) return title === pattern
  return title.startsWith(pattern.slice(0, -1)) && !/[;&|`\n]|\$\(/.test(title)
}
