import type { FunctionTool, ToolCall } from '../model/api.ts'
import { editFile, readFile, writeFile } from './files.ts'
import { listFiles, search } from './find.ts'
import type { Place } from './place.ts'
import { shell } from './run.ts'
import type { Output, Tool } from './tool.ts'

const always: Tool[] = [readFile, listFiles, search, editFile, writeFile, shell]

export interface Tools {
  declared: FunctionTool[]
  run(call: ToolCall, place: Place): Promise<Output>
}

/** What the model may call: always the same, and what is there for this turn. */
export function openTools(more: Tool[]): Tools {
  const tools = [...always, ...more]
  return {
    declared: tools.map(({ declared }) => declared),
    async run({ toolName, input }, place) {
      const chosen = tools.find(({ name }) => name === toolName)
      if (chosen !== undefined) return chosen.run(input, place)
      return { ok: false, text: `There is no tool ${toolName}. There are ${tools.map(({ name }) => name).join(', ')}.` }
    },
  }
}
