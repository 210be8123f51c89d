// A user with a home, keys and a checkout, our own home in it, and every kind of command that an agent has a hand in.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { productPlaces } from '../../../../src/adapters/agents/cli/products.ts'
import { usersEnvironment } from '../../../../src/adapters/shell/environment.ts'
import { compiledOf, ownCaches, secretPlaces, toolPlaces } from '../../../../src/adapters/shell/users-home.ts'
import type { Policy } from '../../../../src/delivery/policy.ts'
import { check, type Given, openYard, type Yard } from '../yard.ts'

export interface Confined extends Yard {
  userHome: string
}

export async function openConfined(given: Partial<Given>, policy: Partial<Policy> = {}): Promise<Confined> {
  const userHome = mkdtempSync(join(tmpdir(), 'ropewalk-user-'))
  const yard = await openYard({
    files: { 'a.txt': 'a' },
    stories: [{ id: 'one' }],
    script: [{ do: [{ write: { 'b.txt': 'b' } }] }],
    ...given,
    policy: { sandbox: 'bwrap', judges: ['check:test'], ...policy },
  })
  const { world, home } = yard
  const users = { home, userHome, env: {}, agents: productPlaces({}) }
  world.tools = {
    ...{ home: userHome, ours: home, places: () => toolPlaces(userHome), caches: () => ownCaches(users) },
    compiled: compiledOf(users),
  }
  world.secretPlaces = secretPlaces(users)
  world.environment = (extra) => usersEnvironment({ ...process.env, HOME: userHome, TERM: 'xterm' }, extra)
  return { ...yard, userHome }
}

export function put(path: string, text = 'secret\n'): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

/** The policy under which the line is the command of this kind. */
export const kinds: Record<string, (line: string) => Partial<Policy>> = {
  check: (line) => ({ checks: [check({ run: line, parser: 'exit-code' })] }),
  'set-up': (run) => ({ setup: { run, timeoutMs: 30_000 }, checks: [check({ parser: 'exit-code' })] }),
  fix: (fix) => ({ checks: [check({ fix, parser: 'exit-code' })] }),
  service: (up) => ({
    workspace: {
      ...{ copy: [], ports: 0, quotaMb: null },
      services: [{ name: 'it', up, down: null, health: null, timeoutMs: 20_000 }],
    },
    checks: [check({ parser: 'exit-code' })],
  }),
}
