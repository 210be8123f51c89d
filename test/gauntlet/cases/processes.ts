import type { Case } from '../case.ts'
export const processes: Case[] = []
