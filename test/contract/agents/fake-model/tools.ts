// An action of a scenario, as a call of the tool with which this agent does such a thing.
import { never } from '../../../../src/std/never.ts'
import type { Call, Property, Tool } from './wire.ts'

export type Action =
  | { do: 'write'; path: string; content: string }
  | { do: 'replace'; path: string; find: string; replace: string }
  | { do: 'shell'; command: string }
  | { do: 'read'; path: string }
  | { do: 'submit'; answer: Record<string, unknown> }

type Work = Exclude<Action, { do: 'submit' }>

/** Null when the agent has offered nothing that could do it. */
export function callFor(action: Action, given: { tools: Tool[]; folder: string | null; id: string }): Call | null {
  const code = given.tools.find(({ shape }) => shape === 'code')
  if (code !== undefined) return { id: given.id, tool: code, input: scriptFor(action, given.folder) }
  const direct = named(given.tools, names[action.do])
  if (action.do === 'submit') return direct === undefined ? null : { id: given.id, tool: direct, input: action.answer }
  if (direct !== undefined) return { id: given.id, tool: direct, input: argumentsFor(action, direct, given.folder) }
  return indirect(action, given)
}

const names: Record<Action['do'], RegExp> = {
  write: /^(?:write|write_file|create|create_file)$/i,
  replace: /^(?:edit|edit_file|replace|str_replace)$/i,
  shell: /^(?:bash|shell|run_shell_command|shell_command|exec_command|local_shell|run|run_command)$/i,
  read: /^(?:read|read_file|view)$/i,
  /** Agents put the name of the server before it, each in its own way. */
  submit: /submit_answer$/i,
}

function named(tools: Tool[], name: RegExp): Tool | undefined {
  return tools.find((tool) => name.test(tool.name))
}

/** A patch where there is a tool for patches, else the shell. */
function indirect(action: Work, given: { tools: Tool[]; id: string }): Call | null {
  const patch = named(given.tools, /^apply_patch$/i)
  if (patch !== undefined && (action.do === 'write' || action.do === 'replace')) {
    const input = patch.shape === 'custom' ? patchFor(action) : { input: patchFor(action) }
    return { id: given.id, tool: patch, input }
  }
  const shell = named(given.tools, names.shell)
  if (shell === undefined) return null
  return { id: given.id, tool: shell, input: argumentsFor({ do: 'shell', command: commandFor(action) }, shell, null) }
}

function argumentsFor(action: Work, tool: Tool, folder: string | null): Record<string, unknown> {
  if (tool.shape === 'local-shell') return { type: 'exec', command: ['bash', '-lc', commandFor(action)], env: {} }
  const values = Object.entries(valuesOf(action, folder))
  const filled = Object.entries(tool.properties).flatMap(([name, property]) => {
    const found = values.find(([meaning]) => meanings[meaning]?.test(name))
    if (found !== undefined) return [[name, shaped(found[1], property)]]
    return tool.required.includes(name) ? [[name, anything(property)]] : []
  })
  return Object.fromEntries(filled)
}

const meanings: Record<string, RegExp> = {
  path: /^(?:file_?path|path|absolute_path|file|file_?name)$/i,
  content: /^(?:content|contents|file_text)$/i,
  find: /^(?:old_?str(?:ing)?|find|old_?text|search)$/i,
  replace: /^(?:new_?str(?:ing)?|replace|replacement|new_?text)$/i,
  command: /^(?:command|cmd)$/i,
  workdir: /^workdir$/i,
}

function valuesOf(action: Work, folder: string | null): Record<string, string> {
  const { do: _, ...rest } = action
  if (!('path' in rest)) return rest
  return { ...rest, path: folder === null ? rest.path : `${folder}/${rest.path}` }
}

function shaped(value: string, { type }: Property): unknown {
  return type === 'array' ? ['bash', '-lc', value] : value
}

/** For what is required and of no interest. */
function anything({ type, enum: choices, minimum }: Property): unknown {
  if (choices !== undefined) return choices[0]
  const kind = Array.isArray(type) ? type[0] : type
  if (kind === 'boolean') return false
  if (kind === 'number' || kind === 'integer') return minimum ?? 1
  if (kind === 'array') return []
  return kind === 'object' ? {} : 'as the task says'
}

/** For an agent whose only tool runs JavaScript that calls the others. */
function scriptFor(action: Action, folder: string | null): string {
  if (action.do === 'write' || action.do === 'replace') {
    return `text(await tools.apply_patch(${JSON.stringify(patchFor(action))}));`
  }
  if (action.do === 'submit') return `text(await tools.mcp__ropewalk__submit_answer(${JSON.stringify(action.answer)}));`
  const where = folder === null ? {} : { workdir: folder }
  return `text(await tools.exec_command(${JSON.stringify({ cmd: commandFor(action), ...where })}));`
}

function patchFor(action: Extract<Action, { path: string }>): string {
  const added = (text: string) => text.replace(/\n$/, '').split('\n')
  const change =
    action.do === 'replace'
      ? [`*** Update File: ${action.path}`, '@@', `-${action.find}`, `+${action.replace}`]
      : [`*** Add File: ${action.path}`, ...added('content' in action ? action.content : '').map((line) => `+${line}`)]
  return ['*** Begin Patch', ...change, '*** End Patch', ''].join('\n')
}

function commandFor(action: Work): string {
  switch (action.do) {
    case 'write':
      return `cat > '${action.path}' <<'END'\n${action.content}END`
    case 'replace':
      return `sed -i 's|${action.find}|${action.replace}|' '${action.path}'`
    case 'shell':
      return action.command
    case 'read':
      return `cat '${action.path}'`
    default:
      return never(action)
  }
}
