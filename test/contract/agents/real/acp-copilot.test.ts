import { agentContract } from '../contract.ts'
import { acpCopilotRig } from '../rigs/acp.ts'

agentContract(acpCopilotRig)
