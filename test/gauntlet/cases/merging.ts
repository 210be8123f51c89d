import type { Case } from '../case.ts'
export const merging: Case[] = []
