import type { Case } from '../case.ts'
export const userRepository: Case[] = []
