import { permissions } from '../cases/permissions.ts'
import { agentContract, everyCase } from '../contract.ts'
import { acpQwenRig } from '../rigs/acp.ts'

agentContract(acpQwenRig, [...everyCase, ...permissions])
