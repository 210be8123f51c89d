import { availableParallelism } from 'node:os'
import type { Facts } from '../../settings/policy.ts'

/** What this machine and whoever sits at it add to the settings. */
export const factsHere = (currentBranch: string, unattended: boolean): Facts => ({
  ...{ cores: availableParallelism(), currentBranch, unattended },
  utcOffsetMinutes: -new Date().getTimezoneOffset(),
})
