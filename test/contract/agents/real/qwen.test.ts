import { agentContract } from '../contract.ts'
import { qwenRig } from '../rigs/qwen.ts'

agentContract(qwenRig)
