import type { AgentErrorKind } from '../../ports/agent-driver.ts'
import type { CliAgent, Told } from './cli-agent.ts'

/** What some words of the agent's mean; null: nothing that is known. */
export const meant = (agent: CliAgent, words: string): AgentErrorKind | null =>
  agent.meanings.find(({ says }) => says.test(words))?.kind ?? null

/** What its own last word says that it failed with; null: it did not. */
export function kindIn(agent: CliAgent, ending: Told['ending']): AgentErrorKind | null {
  if (ending === null || ending.ok) return null
  const { kind, status, message } = ending.error
  return (status === null ? meant(agent, message) : null) ?? kind
}
