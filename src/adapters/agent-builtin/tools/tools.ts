import type { ToolCall } from '../model/api.ts'
import { editFile, readFile, writeFile } from './files.ts'
import { listFiles, search } from './find.ts'
import type { Place } from './place.ts'
import { shell } from './shell.ts'
import type { Output, Tool } from './tool.ts'

const tools: Tool[] = [readFile, listFiles, search, editFile, writeFile, shell]

export const declaredTools = tools.map(({ declared }) => declared)

export async function runTool({ toolName, input }: ToolCall, place: Place): Promise<Output> {
  const chosen = tools.find(({ name }) => name === toolName)
  if (chosen !== undefined) return chosen.run(input, place)
  return { ok: false, text: `There is no tool ${toolName}. There are ${tools.map(({ name }) => name).join(', ')}.` }
}
