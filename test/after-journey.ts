// Loaded before each file of journeys.
import { afterEach } from 'vitest'
import { leaveYards } from './journeys/yard.ts'

afterEach(leaveYards)
