import { permissions } from '../cases/permissions.ts'
import { agentContract, everyCase } from '../contract.ts'
import { acpGeminiRig } from '../rigs/acp.ts'

agentContract(acpGeminiRig, [...everyCase, ...permissions])
