// Where nothing was checked because the machine, or what the settings say of it, is at fault.
import type { CheckResult } from './check-result.ts'

/**
 * `full`: there is no room left. `lacking`: the machine does not have the program that the settings name, and no story
 * can bring it. `not-started`: something could not be started that a story may have broken, or may have to bring.
 */
export type Fault = 'full' | 'lacking' | 'not-started'

export function faultOf(result: CheckResult, command: string): Fault | null {
  // What tells of tests has run them.
  if (result.status === 'pass' || result.status === 'timeout' || result.counts !== null) return null
  const text = `${result.message}\n${result.tail}`
  if (/\bENOSPC\b|No space left on device|Disk quota exceeded/.test(text)) return 'full'
  if (!notStarted.test(text)) return null
  return programsOf(command).some((program) => isSaidMissing(program, text)) ? 'lacking' : 'not-started'
}

/** By the shell, by make, by npm. */
const notStarted =
  /could not be run \(exit code|the command was not found|\bError 12[67]$|code ELIFECYCLE\n.*errno 12[67]|: (?:command )?not found$/m

/** What a line of shell starts itself; not what is a path, which a story may bring. */
const programsOf = (command: string): string[] =>
  command
    .split(/&&|\|\||[;|\n]/)
    .map((part) => part.trim().replace(/^(?:\w+=\S*\s+)+/, ''))
    .map((part) => part.split(/\s/, 1)[0] ?? '')
    .filter((word) => /^[\w.+-]+$/.test(word))

const isSaidMissing = (program: string, text: string): boolean =>
  text.split('\n').some((line) => {
    const said = /(?:^|[:\s])([^\s:]+): (?:command )?not found$/.exec(line.trim())
    return said?.[1] === program
  })

const mostLines = 4
const longestLine = 200

/** The first and the last lines of an output, for people. */
export function endsOf(text: string): string {
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trimEnd().slice(0, longestLine)]))
  if (lines.length === 0) return 'it printed nothing'
  const shown = lines.length <= 2 * mostLines ? lines : [...lines.slice(0, mostLines), '…', ...lines.slice(-mostLines)]
  return `it printed:\n${shown.map((line) => `  ${line}`).join('\n')}\n`
}
