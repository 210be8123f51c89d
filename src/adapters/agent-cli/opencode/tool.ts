import type { AgentEvent } from '../../../ports/agent-driver.ts'
import { asCount, asObject, at, brief, type Json } from '../json.ts'

export const detailOf = (args: unknown): string => brief(at(args, 'command') ?? at(args, 'filePath') ?? args, 300)

export function toolEnd(id: string, part: Json): AgentEvent {
  const { status, output, error, metadata } = asObject(part.state) ?? {}
  const said = output ?? error
  return {
    ...{ type: 'tool-ended', id, ok: status === 'completed' && asCount(at(metadata, 'exit')) === 0 },
    output: said === undefined ? null : brief(said, 2_000),
  }
}
