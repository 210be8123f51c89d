import type { Case } from '../case.ts'
export const clutter: Case[] = []
