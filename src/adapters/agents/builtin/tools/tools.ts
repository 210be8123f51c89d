import type { ToolCall } from '../model/api.ts'
import { editFileTool, readFileTool, writeFileTool } from './files.ts'
import { listFilesTool, searchTool } from './find.ts'
import type { ToolPlace } from './place.ts'
import { shellTool } from './run.ts'
import type { ModelTool, ToolOutput } from './tool.ts'

const always: ModelTool[] = [readFileTool, listFilesTool, searchTool, editFileTool, writeFileTool, shellTool]

export type Tools = ReturnType<typeof openTools>

/** What the model may call: always the same, and what is there for this turn. */
export function openTools(more: ModelTool[]) {
  const tools = [...always, ...more]
  return {
    declared: tools.map(({ declared }) => declared),
    async run({ toolName, input }: ToolCall, place: ToolPlace): Promise<ToolOutput> {
      const chosen = tools.find(({ name }) => name === toolName)
      if (chosen !== undefined) return chosen.run(input, place)
      return { ok: false, text: `There is no tool ${toolName}. There are ${tools.map(({ name }) => name).join(', ')}.` }
    },
  }
}
