// One case from its beginning to its end, and all that must hold then.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'
import { isBare, userFingerprint } from '../contract/user-repository.ts'
import type { Case, Run, Untouched } from './case.ts'
import { openYard, type Yard } from './yard.ts'

export async function play(one: Case): Promise<void> {
  const yard = openYard(one)
  try {
    const before = untouchedIn(yard)
    const runs = await (one.drive ?? ((place) => place.deliver().then((run) => [run])))(yard)
    expect(yard.alive(), 'processes left behind').toEqual([])
    if (one.expect === 'caught') await expectCaught(yard, one, runs)
    else expectPassed(yard, one, runs)
    const landed = ![yard.base, null].includes(tipOf(yard))
    if (landed && one.redBase !== true) expectGreen(yard, one)
    expectUntouched(before, untouchedIn(yard), { landed, disturbs: one.disturbs ?? [] })
    one.after?.(yard, runs)
  } finally {
    yard.remove()
  }
}

async function expectCaught(yard: Yard, one: Case, runs: Run[]): Promise<void> {
  const names = one.names ?? /never/
  let output = runs.map((run) => run.output).join('\n')
  // Mostly it is said at once; where it is not, status and why must tell.
  if (!names.test(output))
    for (const asked of [['status'], ['why', yard.stories[0]!]]) output += (await yard.ropewalk(...asked)).output
  expect(runs.at(-1)!.code, output).not.toBe(0)
  expect(landedStories(yard).sort(), output).toEqual([...(one.spares ?? [])].sort())
  expect(output, output).toMatch(names)
}

/** By the trailers of what is on the target since the base. */
function landedStories(yard: Yard): string[] {
  if (tipOf(yard) === null) return []
  const stories = yard.git(
    'log',
    '--reverse',
    '--format=%(trailers:key=Ropewalk-Story,valueonly)',
    `${yard.base}..${yard.target}`,
  )
  return stories.split('\n').filter((story) => story !== '')
}

/** Of the target; null when somebody has deleted it. */
function tipOf(yard: Yard): string | null {
  return yard.git('for-each-ref', '--format=%(objectname)', `refs/heads/${yard.target}`) || null
}

function expectPassed(yard: Yard, one: Case, runs: Run[]): void {
  expect(runs.at(-1)!.code, runs.map((run) => run.output).join('\n')).toBe(0)
  expect(landedStories(yard).sort()).toEqual(one.empty === true ? [] : [...yard.stories, ...(one.spares ?? [])].sort())
  if (!one.disturbs?.includes('files') && !isBare(yard.repo))
    expect(yard.git('status', '--porcelain', '--untracked-files=no')).toBe('')
}

/** The target again, from nothing but its commit. */
function expectGreen(yard: Yard, { settings }: Case): void {
  const fresh = join(yard.folder, 'fresh')
  yard.git('clone', '-q', '--no-local', '--branch', yard.target, yard.repo, fresh)
  const env = { PATH: process.env.PATH, HOME: join(yard.folder, 'user'), CI: 'true' }
  execFileSync('/bin/sh', ['-c', settings?.check ?? 'node --test'], { cwd: fresh, env, stdio: 'ignore' })
}

function untouchedIn(yard: Yard): Untouched {
  const { refs, ...rest } = userFingerprint(yard.repo)
  const ours = [` refs/heads/${yard.target} `, ' refs/notes/ropewalk ']
  const branches = refs.split('\n').filter((line) => !ours.some((ref) => line.includes(ref)))
  return { ...rest, branches: branches.join('\n') }
}

function expectUntouched(
  before: Untouched,
  after: Untouched,
  { landed, disturbs }: { landed: boolean; disturbs: (keyof Untouched)[] },
): void {
  const looked = { ...after }
  for (const key of [...disturbs, ...(landed ? (['index', 'files'] as const) : [])]) looked[key] = before[key]
  expect(looked, "the user's repository").toEqual(before)
}
