import { asObject, objectOn } from '../told/json.ts'

/**
 * Opencode asks its model for a title of each new session, and tells nobody what that has cost. Settings that are no
 * plain JSON are left as they are: then the title is reckoned.
 */
export function untitled({ OPENCODE_CONFIG_CONTENT: given = '{}' }: Record<string, string>): Record<string, string> {
  const settings = objectOn(given)
  if (settings === null) return {}
  const agent = { ...asObject(settings.agent), title: { disable: true } }
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...settings, agent }) }
}
