import { agentContract } from '../contract.ts'
import { copilotRig } from '../rigs/copilot.ts'

agentContract(copilotRig)
