// Loaded before each file of journeys.
import { afterEach } from 'vitest'
import { leaveYards } from './yard.ts'

afterEach(leaveYards)
