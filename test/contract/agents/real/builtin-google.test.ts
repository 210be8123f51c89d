import { agentContract } from '../contract.ts'
import { builtinRig } from '../rigs/builtin.ts'

agentContract(builtinRig('google'))
