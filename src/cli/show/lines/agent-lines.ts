import { isProduct } from '../../../settings/drivers.ts'
import type { Line, Span } from '../line.ts'
import { bold, dim, green, red } from '../line.ts'
import { table } from '../table.ts'

export interface AgentRow {
  name: string
  driver: string
  /** The settings say something about it. */
  configured: boolean
  /** Those that it has. */
  roles: string[]
  usable: boolean
  version: string | null
  /** By what; null when it cannot be told. */
  signedIn: string | null
  problem: string | null
  remedy: string | null
  notes: string[]
}

/** One line for each, and what to do below those that cannot be used; a mere name is still being tried. */
export function agentLines(rows: (AgentRow | string)[]): Line[] {
  const lines = table(rows.map((row) => (typeof row === 'string' ? [dim('…'), bold(row)] : cells(row))))
  return lines.flatMap((line, i) => {
    const row = rows[i]
    return typeof row === 'object' && row.remedy !== null ? [line, dim(`     ${row.remedy}`)] : [line]
  })
}

const cells = ({ name, driver, version, usable, roles, signedIn, problem, notes }: AgentRow): Span[] => [
  usable ? green('✔') : red('✘'),
  bold(name),
  [driver === name ? '' : driver, version ?? ''].filter((part) => part !== '').join(' '),
  roles.join(', '),
  usable ? [signedInText(driver, signedIn), ...notes].filter((part) => part !== '').join('; ') : (problem ?? ''),
]

/** Programs that the settings name are never looked at by `auto`. */
function signedInText(driver: string, signedIn: string | null): string {
  if (signedIn !== null) return `signed in by ${signedIn}`
  return isProduct(driver) ? 'perhaps not signed in, so auto does not take it' : ''
}
