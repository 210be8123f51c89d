import { dirname } from 'node:path/posix'
import type { Module } from './module.ts'
import { lineAt, match } from './scan.ts'

const longestFile = 400
const longestFunction = 70
const largestFolder = 15
const mostParameters = 3

export function longFiles(modules: Module[]): string[] {
  return modules.flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n').length
    return lines > longestFile ? [`${path} has ${lines} lines`] : []
  })
}

export function fullFolders(paths: string[]): string[] {
  const counts = new Map<string, number>()
  for (const path of paths) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  return [...counts].flatMap(([folder, count]) => (count > largestFolder ? [`${folder} has ${count} files`] : []))
}

export function longFunctions(modules: Module[]): string[] {
  return modules.flatMap((module) =>
    functionsOf(module.code).flatMap(({ start, end }) => {
      const lines = lineAt(module.code, end) - lineAt(module.code, start) + 1
      return lines > longestFunction ? [`${place(module, start)}: a function of ${lines} lines`] : []
    }),
  )
}

export function manyParameters(modules: Module[]): string[] {
  return modules.flatMap((module) =>
    functionsOf(module.code).flatMap(({ start, parameters }) =>
      parameters > mostParameters ? [`${place(module, start)}: a function of ${parameters} parameters`] : [],
    ),
  )
}

const place = (module: Module, offset: number): string => `${module.path}:${lineAt(module.code, offset)}`

interface Found {
  start: number
  end: number
  parameters: number
}

/** Every function with a body: declared, method or arrow. Interface members have none, and are not counted. */
export function functionsOf(code: string): Found[] {
  const arrows = [...code.matchAll(/=>\s*/g)].map((arrow) => arrowAt(code, arrow.index, arrow.index + arrow[0].length))
  const others = [...code.matchAll(/\{/g)].flatMap(({ index }) => declaredAt(code, index) ?? [])
  return [...arrows, ...others]
}

function arrowAt(code: string, arrow: number, body: number): Found {
  const head = headBefore(code, arrow)
  const start = head?.open ?? arrow
  const end = /[({[]/.test(code.charAt(body)) ? match(code, body) : code.indexOf('\n', body)
  return { start, end, parameters: head === null ? 1 : parametersIn(code.slice(head.open + 1, head.close)) }
}

const notFunctions = /\b(?:if|for|while|switch|catch|with|await)\s*$/

/** The function whose body opens here, or null: this brace may as well be a block, an object or a type. */
function declaredAt(code: string, brace: number): Found | null {
  if (code.slice(0, brace).trimEnd().endsWith('=>')) return null
  const head = headBefore(code, brace)
  if (head === null) return null
  const before = code.slice(Math.max(0, head.open - 200), head.open)
  if (notFunctions.test(before) || !/[\w$>\]]\s*$|function\s*$/.test(before)) return null
  const end = match(code, brace)
  return { start: head.open, end, parameters: parametersIn(code.slice(head.open + 1, head.close)) }
}

/** The parameter list right before a body or an arrow, a return type in between left aside. */
function headBefore(code: string, body: number): { open: number; close: number } | null {
  const text = code.slice(Math.max(0, body - 600), body)
  const tail = /\)\s*(?::(?:[^;{}()=]|\{[^{}]*\}|\([^()]*\)\s*=>|=>)*)?$/.exec(text)
  if (tail === null) return null
  const close = body - text.length + tail.index
  return { open: match(code, close, -1), close }
}

function parametersIn(list: string): number {
  let depth = 0
  let count = list.trim() === '' ? 0 : 1
  for (const [index, char] of [...list.trim().replace(/,$/, '')].entries()) {
    if ('([{<'.includes(char)) depth++
    if (')]}'.includes(char) || (char === '>' && list.trim().charAt(index - 1) !== '=')) depth--
    if (char === ',' && depth === 0) count++
  }
  return count
}
