import { agentContract } from '../contract.ts'
import { geminiRig } from '../rigs/gemini.ts'

agentContract(geminiRig)
