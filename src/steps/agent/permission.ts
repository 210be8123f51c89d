import type { AgentPolicy } from '../../delivery/policy.ts'
import { isOfKind, isSeveral, permissionKind } from '../../delivery/story/permission.ts'
import type { StoryState } from '../../delivery/story/story.ts'
import type { PermissionRequest } from '../../ports/agent-driver.ts'

/** What an agent may do without a human: what the settings or a human's earlier answer allow. An earlier no holds too. */
export function mayDo(
  { permissions, allow }: AgentPolicy,
  { grants, denials, redact }: Pick<StoryState, 'grants' | 'denials'> & { redact: Redact },
  asked: PermissionRequest,
): 'allow' | 'deny' | 'ask' {
  const text = permissionText(asked, redact)
  if (permissions === 'bypass' || grants.includes(text) || allow.some((rule) => covers(rule, asked))) return 'allow'
  if (denials.some((denied) => isOfKind(bare(denied), bare(text)))) return 'deny'
  return grants.some((grant) => isOfKind(grant, text) && isNoMore(grant, text)) ? 'allow' : 'ask'
}

/** A no holds also for the call with other variables, by another path, or as somebody else; a yes does not. */
const bare = (text: string): string =>
  text.replace(/^(execute: )(?:(?:env|sudo|nohup|time|command|exec)\s+|\w+=\S*\s+)*(?:\S*\/)?(?=\S)/, '$1')

/** For what a no to this holds. */
export const kindAsked = (text: string): string => permissionKind(bare(text))

/** How a permission is written in the log, and in a grant. */
export const permissionText = ({ kind, title }: PermissionRequest, redact: Redact): string =>
  redact(`${kind}: ${title}`).slice(0, 1_000)

type Redact = (text: string) => string

/** A yes to one call is none to options that it did not have, nor to code in quotes. */
function isNoMore(granted: string, asked: string): boolean {
  const optionsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word.startsWith('-'))
  return !/["'\\$<>]/.test(asked) && optionsOf(asked).every((option) => optionsOf(granted).includes(option))
}

/** `edit` covers every edit, `execute: npm test*` what begins so. A line of several commands is none of them. */
function covers(rule: string, { kind, title }: PermissionRequest): boolean {
  const [wanted = '', ...rest] = rule.split(':')
  if (wanted.trim() !== kind) return false
  const pattern = rest.join(':').trim()
  if (pattern === '') return true
  if (!pattern.endsWith('*')) return title === pattern
  return title.startsWith(pattern.slice(0, -1)) && !isSeveral(title)
}
