import { randomUUID } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { textIn } from '../filed.ts'
import { chosenVariables, type DriverDeps, optionsBy } from '../turn.ts'
import type { CliAgent, CliStart } from './cli-agent.ts'

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

export interface Home {
  folder: string
  /** Variables that lead to it. */
  environment: Record<string, string>
  /** Files outside of it that are a part of it. */
  linked: string[]
  /** What else it must see, where that is hidden from others. */
  seen: string[]
}

/** The agent's home for a turn: the user's, or one of its own that knows nothing of the user's but the sign-in. */
export function openHome(agent: CliAgent, { home }: CliOptions, deps: Pick<CliDeps, 'env' | 'homes'>): Home {
  const users = agent.home.users(deps.env)
  if (home === 'user') {
    const environment = chosenVariables(Object.keys(agent.home.point(users)), deps.env)
    return { folder: users, environment, linked: [], seen: agent.home.beside?.(deps.env) ?? [] }
  }
  const folder = join(deps.homes, agent.name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const linked = agent.home.signIn.flatMap((file) =>
    linkTo(join(users, file), join(folder, agent.home.inside ?? '', file)),
  )
  return { folder, environment: agent.home.point(folder), linked, seen: [] }
}

/** Puts our settings for the agent into its own home. */
export function furnish(agent: CliAgent, start: CliStart): void {
  for (const [path, text] of Object.entries(agent.home.files?.(start) ?? {})) {
    const file = join(start.home, path)
    if (textIn(file) === text) continue
    // Other turns may be reading it.
    replaced(file, (draft) => writeFileSync(draft, text, { mode: 0o600 }))
  }
}

/** An agent that renews its sign-in may put a file in the place of the link: the newer one is the one that works. */
function linkTo(theirs: string, ours: string): string[] {
  const source = statSync(theirs, { throwIfNoEntry: false })
  const present = lstatSync(ours, { throwIfNoEntry: false })
  if (source === undefined) {
    if (present?.isSymbolicLink()) rmSync(ours)
    return []
  }
  if (present?.isFile() && present.mtimeMs > source.mtimeMs) return []
  // Where it really is: confined, the agent does not see the links that lead there.
  const target = realpathSync(theirs)
  if (!(present?.isSymbolicLink() && readlinkSync(ours) === target)) {
    replaced(ours, (draft) => symlinkSync(target, draft))
  }
  return [target]
}

function replaced(file: string, write: (draft: string) => void): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomUUID()}`
  write(draft)
  renameSync(draft, file)
}
