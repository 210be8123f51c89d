import { existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Policy } from '../../delivery/policy.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Repository } from '../../ports/repository.ts'
import { fits } from '../../roles/prompt/prompt.ts'
import { templateOf } from '../../roles/prompt/template.ts'
import { type PromptName, promptNames } from '../../roles/sees.ts'
import { constitutionSection } from '../../roles/shared/standing.ts'
import { overridePath } from '../../roles/templates.ts'
import { nearest } from '../../std/nearest.ts'

type Clone = Pick<Repository, 'listFiles' | 'readFile' | 'readFiles'>

/** The policy with the whole path of the standards. What no agent could be told is found before anything is begun. */
export async function withPrompts(clone: Clone, base: string, policy: Policy): Promise<Policy> {
  await refuseOverrides(clone, base)
  const whole = withWholePath(policy)
  if (whole.constitution !== null) await refuseConstitution(clone, base, whole.constitution)
  return whole
}

export function withWholePath(policy: Policy): Policy {
  const { constitution } = policy
  return constitution?.startsWith('~/') ? { ...policy, constitution: join(homedir(), constitution.slice(2)) } : policy
}

async function refuseOverrides(clone: Clone, base: string): Promise<void> {
  const own = (await clone.listFiles(base)).filter((path) => /^\.ropewalk\/prompts\/.*\.md$/.test(path))
  const known = new Map(promptNames.map((name) => [overridePath(name), name]))
  for (const path of own) {
    const name = known.get(path)
    if (name === undefined) throw unknownPrompt(path)
    templateOf(name, (await clone.readFile(base, path)) ?? '', path)
  }
}

function unknownPrompt(path: string): TerminalError {
  const meant = nearest(path.replace(/^.*\/|\.md$/g, ''), promptNames)
  const remedy =
    meant === null ? `one of: ${promptNames.join(', ')}` : `did you mean ${overridePath(meant as PromptName)}?`
  return new TerminalError(`${path} is the text of no prompt that there is`, remedy)
}

async function refuseConstitution(clone: Clone, base: string, path: string): Promise<void> {
  const remedy = 'name a file that is committed on the target, or one of this machine by its whole path'
  if (isAbsolute(path)) {
    if (!existsSync(path) || !statSync(path).isFile())
      throw new TerminalError(`constitution: there is no file ${path} on this machine`, remedy)
    return
  }
  const text = await clone.readFile(base, path)
  if (text === null) throw new TerminalError(`constitution: there is no ${path} in the repository at its base`, remedy)
  if (!fits(constitutionSection(text)))
    throw new TerminalError(
      `constitution: ${path} is too long: ${Buffer.byteLength(text)} bytes; at most about 15000 fit`,
      'shorten it: it is part of every prompt of those who write or review code',
    )
}
