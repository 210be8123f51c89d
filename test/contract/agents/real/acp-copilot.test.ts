import { permissions } from '../cases/permissions.ts'
import { agentContract, everyCase } from '../contract.ts'
import { acpCopilotRig } from '../rigs/acp.ts'

agentContract(acpCopilotRig, [...everyCase, ...permissions])
