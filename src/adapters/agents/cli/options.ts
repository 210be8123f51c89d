import { z } from 'zod'
import { chosenVariables, type DriverDeps, optionsBy } from '../turn.ts'
import type { CliAgent } from './cli-agent.ts'

/** `homes`: the folder for the agents' own homes. */
export type CliDeps = DriverDeps & { homes: string }

const shape = z.object({
  /** Instead of the program on the PATH: another one, or how to start it. */
  command: z.tuple([z.string().min(1)], z.string()).optional(),
  /** After all of ours. */
  args: z.array(z.string()).default([]),
  environment: z.array(z.string().min(1)).default([]),
  home: z.enum(['own', 'user']).default('own'),
  permissions: z.enum(['bypass', 'ask']).default('bypass'),
})

export type CliOptions = z.infer<typeof shape>

/** The driver's part of an agent's settings. */
export const cliOptions = ({ name }: CliAgent, options: Record<string, unknown>): CliOptions =>
  optionsBy(shape, options, {
    wrong: `the settings of the agent ${name} are wrong`,
    remedy: 'Correct them in ropewalk.yaml.',
  })

/** What of the user's environment the agent may have, because it was declared or because the settings say so. */
export const passedOn = (agent: CliAgent, { environment }: CliOptions, { env }: CliDeps): Record<string, string> =>
  chosenVariables([...agent.passes, ...environment], env)
