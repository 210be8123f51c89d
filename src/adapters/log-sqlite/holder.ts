import { hostname } from 'node:os'
import { canBeSeen, hasEnded, ownIdentity } from '../../std/running/identity.ts'
import { isGone } from '../../std/running/process.ts'

// Who holds a lease, as its row says it: `<identity> <ttlMs>`; rows of earlier versions have only when it was born.

interface Holder {
  host: string
  pid: number
  born: string | null
}

const nowhere = '- - - - -'
const usualMs = 30_000

export const holderOf = ({ host, pid, ttlMs }: { host: string; pid: number; ttlMs: number }): string =>
  `${host === hostname() ? ownIdentity(pid) : nowhere} ${ttlMs}`

/** Certainly: one that cannot be seen from here may be alive. */
export function hasGone({ host, pid, born }: Holder): boolean {
  return isPlain(born) ? host === hostname() && isGone(pid, born) : hasEnded(born!)
}

export const isBeside = (holder: Holder): boolean =>
  !hasGone(holder) && (isPlain(holder.born) ? holder.host === hostname() : canBeSeen(holder.born!))

export const ttlOf = ({ born }: Holder): number => (isPlain(born) ? usualMs : Number(born!.split(' ')[5]))

const isPlain = (born: string | null): boolean => born === null || !born.includes(' ')
