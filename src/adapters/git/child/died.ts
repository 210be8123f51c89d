import { verbOf } from '../failures.ts'
import type { Ended } from './ended.ts'

/** How a shell says that its child was aborted, killed, or asked to end, or touched memory that it has not. */
const codesOfShells = [134, 135, 137, 139, 143]

/** How git says it of a child of its own; what it fetches from ends without a word then. */
const byAnother = /died of signal \d+|the remote end hung up unexpectedly|early EOF/

/** By a signal that was not ours. */
export function died({ code, signal, stderr, cut, late }: Ended): boolean {
  if (cut || late) return false
  if (code === null) return signal !== null
  return codesOfShells.includes(code) || (code !== 0 && byAnother.test(stderr))
}

export function diedText(args: string[], { signal, stderr }: Ended): string {
  const by = signal ?? /died of signal \d+/.exec(stderr)?.[0].replace('died of ', '') ?? 'a signal'
  return `git ${verbOf(args)} was ended by ${by}`
}
