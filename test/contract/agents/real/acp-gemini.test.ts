import { agentContract } from '../contract.ts'
import { acpGeminiRig } from '../rigs/acp.ts'

agentContract(acpGeminiRig)
