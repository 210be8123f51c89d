import { readFile, stat } from 'node:fs/promises'
import { isAbsolute, join, normalize } from 'node:path'
import type { CheckPolicy } from '../../delivery/policy.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { LaidFile } from '../../ports/proofs/regression.ts'
import type { UserRepository } from '../../ports/proofs/user-repository.ts'
import { checkDefaults } from '../../settings/defaults.ts'
import { nearest } from '../../std/nearest.ts'
import { unknownRevision } from './verify.ts'

export interface RegressOptions {
  since?: string | undefined
  /** One check of the settings. */
  check?: string | undefined
  /** A command of one's own. */
  run?: string | undefined
}

/** What is run: one check of the settings, a command of one's own, or all checks in their order. */
export function checksOf(checks: CheckPolicy[], { check: name, run }: RegressOptions): CheckPolicy[] {
  if (run !== undefined && run.trim() === '') throw new TerminalError('--run is empty', 'give a command, in quotes')
  if (run !== undefined) return [{ ...checkDefaults, name: '--run', run }]
  const names = checks.map((check) => check.name)
  if (name === undefined && checks.length > 0) return checks
  if (name === undefined)
    throw new TerminalError('the settings have no checks', 'run `ropewalk init`, or give a command with --run')
  const found = checks.filter((check) => check.name === name)
  if (found.length > 0) return found
  const meant = nearest(name, names)
  throw new TerminalError(
    `there is no check "${name}"`,
    meant === null ? `name one of: ${names.join(', ') || 'none'}` : `did you mean ${meant}?`,
  )
}

/** Where the search ends, and what it begins after. */
export async function endsOf(
  user: UserRepository,
  { range, since, tip }: { range: string | undefined; since: string | undefined; tip: string },
): Promise<{ tip: string; since: string | null }> {
  if (range === undefined) return { tip, since: since === undefined ? null : await one(user, since) }
  const [, from, to] = /^(.*[^.])\.\.([^.].*)?$/.exec(range) ?? []
  if (from === undefined)
    throw new TerminalError(`"${range}" is no range`, 'a range has two ends, the older first: main~20..main')
  return { tip: await one(user, to ?? 'HEAD'), since: await one(user, from) }
}

async function one(user: UserRepository, revision: string): Promise<string> {
  const commits = revision.includes('..') ? null : await user.commits(revision)
  if (commits?.[0] !== undefined) return commits[0]
  throw unknownRevision(user, revision, 'name a commit: a branch, a tag, or an id')
}

export const noStories = ({ hasNotes }: UserRepository, where: string): TerminalError =>
  new TerminalError(
    `no story of ours has landed in ${where}`,
    hasNotes
      ? 'look further back: without a range and --since, all of the branch is searched'
      : 'in a clone, fetch the notes first: git fetch origin refs/notes/ropewalk:refs/notes/ropewalk',
  )

const longestBytes = 1_000_000

/** The files of the checkout that a command names, such as a test that shows the regression. */
export async function namedFiles(root: string, command: string): Promise<LaidFile[]> {
  const words = [...new Set(command.split(/[\s'"=;&|()<>]+/).filter((word) => word !== '' && !word.startsWith('-')))]
  const files: LaidFile[] = []
  for (const word of words) {
    const path = normalize(word)
    if (isAbsolute(path) || path.startsWith('..')) continue
    const found = await stat(join(root, path)).catch(() => null)
    if (found?.isFile() === true && found.size <= longestBytes)
      files.push({ path, text: await readFile(join(root, path)) })
  }
  return files
}
