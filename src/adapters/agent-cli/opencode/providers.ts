import { readFileSync } from 'node:fs'
import { objectOn } from '../json.ts'

/** Those that the user has signed in to. */
export const providersIn = (signIn: string): string[] => Object.keys(objectOn(textOf(signIn)) ?? {})

/** The variable whose configuration names a provider, as one on this machine, which may need no key at all. */
export function providerBy(env: Record<string, string | undefined>): string | null {
  const names = /"provider"\s*:\s*\{\s*"/
  if (names.test(env.OPENCODE_CONFIG_CONTENT ?? '')) return 'OPENCODE_CONFIG_CONTENT'
  return names.test(textOf(env.OPENCODE_CONFIG ?? '')) ? 'OPENCODE_CONFIG' : null
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
