import { permissions } from '../cases/permissions.ts'
import { working } from '../cases/working.ts'
import { agentContract } from '../contract.ts'
import { acpOpencodeRig } from '../rigs/acp.ts'

agentContract(acpOpencodeRig, [...working, ...permissions])
