import type { AgentResult } from '../../../src/ports/agent-driver.ts'
import type { Open } from './stage.ts'

/** One thing that every agent is tried with. What it returns is how the turn ended, for the table. */
export interface Case {
  title: string
  run(open: Open): Promise<AgentResult>
}
