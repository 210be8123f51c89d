import { agentContract } from '../contract.ts'
import { claudeRig } from '../rigs/claude.ts'

agentContract(claudeRig)
