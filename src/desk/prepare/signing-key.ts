import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Policy } from '../../delivery/policy.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { DeskWorld } from '../world.ts'

/** The policy with the key's whole path. A key that cannot sign is found before anything is begun. */
export async function withSigningKey(world: Pick<DeskWorld, 'signing'>, policy: Policy, root: string): Promise<Policy> {
  if (policy.signWith === null) return policy
  const signWith = keyPath(policy.signWith, root)
  const problem = await (await world.signing()).problemWith(signWith)
  if (problem === null) return { ...policy, signWith }
  throw new TerminalError(
    `signWith: ${problem}`,
    'name a key that can sign without a question: one in your ssh agent (ssh-add <key>), or one without a passphrase',
  )
}

const keyPath = (path: string, root: string): string =>
  path.startsWith('~/') ? join(homedir(), path.slice(2)) : resolve(root, path)
