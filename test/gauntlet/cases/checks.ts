import type { Case } from '../case.ts'
export const checks: Case[] = []
