import { permissions } from '../cases/permissions.ts'
import { working } from '../cases/working.ts'
import { agentContract } from '../contract.ts'
import { acpQwenRig } from '../rigs/acp.ts'

// It tries again for longer than anybody would wait: what it does with refusals is left out.
agentContract(acpQwenRig, [...working, ...permissions])
