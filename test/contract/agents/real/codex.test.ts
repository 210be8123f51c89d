import { agentContract } from '../contract.ts'
import { codexRig } from '../rigs/codex.ts'

agentContract(codexRig)
