import { permissions } from '../cases/permissions.ts'
import { agentContract, everyCase } from '../contract.ts'
import { acpOpencodeRig } from '../rigs/acp.ts'

agentContract(acpOpencodeRig, [...everyCase, ...permissions])
