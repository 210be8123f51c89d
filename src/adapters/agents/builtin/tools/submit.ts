import { writeFileSync } from 'node:fs'
import { jsonObjectIn } from '../../../../std/json-file.ts'
import type { FunctionTool } from '../model/api.ts'
import { run } from './run.ts'
import type { Tool } from './tool.ts'

const timeoutMs = 60_000

/** The tool that takes the answer, as the program says that is there for it; null: no answer is wanted. */
export function submitTool(program: string, resultFile: string): Tool | null {
  const { tool } = jsonObjectIn(`${resultFile}.contract`) as { tool?: Omit<FunctionTool, 'type'> }
  if (tool === undefined) return null
  const draft = `${resultFile}.draft`
  return {
    name: tool.name,
    declared: { type: 'function', ...tool },
    async run(input, place) {
      writeFileSync(draft, JSON.stringify(input), { mode: 0o600 })
      const command: [string, ...string[]] = [process.execPath, program, '--once', draft, resultFile]
      const { code, output } = await run(place, command, timeoutMs)
      return { ok: code === 0, text: output.trim() }
    },
  }
}
