import { agentContract } from '../contract.ts'
import { opencodeRig } from '../rigs/opencode.ts'

agentContract(opencodeRig)
