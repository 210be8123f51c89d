import type { AgentProbe } from '../../../ports/agent-driver.ts'
import type { Service } from '../agents/builtin.ts'
import { asList, asNumber, asText, type Json } from '../json.ts'

/** Whether the service can be used, by what it has answered. */
export function verdictOn({ key, url, type }: Service, answer: Json | null, version: string | null): AgentProbe {
  const where = url ?? `the ${type} service`
  const unusable = (problem: string, remedy: string): AgentProbe => ({ usable: false, version, problem, remedy })
  if (answer?.answers !== true)
    return unusable(
      `${where} does not answer: ${asText(answer?.problem) ?? 'no reason was told'}`,
      url === null ? 'Look whether this machine is online.' : 'Start it, or correct api.url in ropewalk.yaml.',
    )
  if (answer.accepted === false)
    return unusable(
      `${where} does not accept the key in ${key ?? 'api.key'}`,
      `Set ${key ?? 'api.key'} to a valid key.`,
    )
  const count = asList(answer.models).length
  const note =
    answer.accepted === true
      ? `${where} answers and offers ${count} ${count === 1 ? 'model' : 'models'}`
      : `${where} answers, but cannot tell its models (status ${asNumber(answer.status)}), nor whether the key is right`
  return { usable: true, version, signedIn: key ?? where, notes: [note] }
}
