import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openRepositories } from '../../../../src/adapters/git/repositories.ts'
import { TerminalError } from '../../../../src/ports/errors.ts'
import type { Demands, Verification } from '../../../../src/ports/proofs/verifier.ts'
import { openVerifier } from '../../../../src/steps/verify/verifier.ts'
import { git } from '../../user-repository.ts'
import { openYard, type Yard } from '../yard.ts'

const commit = (message: string) => ({ shell: `git add -A && git commit -q -m '${message}'` })

/** One story, of two commits, which is to land. */
async function ready(policy: object = {}): Promise<Yard> {
  const acts = [{ write: { 'b.txt': 'b\n' } }, commit('Add b'), { write: { 'c.txt': 'c\n' } }, { say: 'done' }]
  const yard = await openYard({
    files: { 'a.txt': 'a\n' },
    stories: [{ id: 'one', title: 'Say one' }],
    script: [{ story: 'one', do: acts }],
    policy: { judges: ['check:test'], mergeMethod: 'rebase', ...policy },
  })
  for (const verb of ['CodeStory', 'Judge', 'ComposeLine', 'AdvanceLine'] as const) await yard.perform(verb)
  return yard
}

const demands: Demands = {
  ...{ signersFile: null, signed: false, strict: false, rerun: false },
  signal: new AbortController().signal,
}

async function verified(yard: Yard, range: string, user = yard.user): Promise<Verification[]> {
  const repository = await openRepositories({ home: yard.home }).look(user)
  const verifier = openVerifier({
    repository,
    signing: yard.world.signing,
    log: yard.log,
    blobs: yard.world.blobs,
    textsIn: async () => [],
    rerun: () => Promise.reject(new Error('nobody asked')),
    steps: async () => yard.world,
  })
  const found: Verification[] = []
  for (const one of (await repository.commits(range))!) found.push(await verifier.verify(one, demands))
  return found
}

const statuses = async (yard: Yard, range = 'main~2..main'): Promise<string[]> =>
  (await verified(yard, range)).map(({ status, problems }) => [status, ...problems].join(': '))

const lockOf = (yard: Yard): string => join(yard.user, '.git/refs/notes/ropewalk.lock')

async function locked(): Promise<Yard> {
  const yard = await ready()
  git(yard.user, 'notes', '--ref', 'ropewalk', 'add', '-m', 'mine', 'main')
  writeFileSync(lockOf(yard), '')
  return yard
}

describe('a landing whose proofs cannot be noted', () => {
  it('has landed, with a concern; the next look at it writes them', async () => {
    const yard = await locked()
    const { ending, interims } = await yard.perform('Land')
    expect(ending.type).toBe('Landed')
    expect(interims).toEqual([
      expect.objectContaining({ type: 'LandingBegun', checkouts: [yard.user] }),
      { type: 'ConcernRaised', story: null, text: expect.stringMatching(/could not be noted.*ropewalk\.lock/) },
    ])
    expect(await statuses(yard)).toEqual(['none: it carries no proof', 'none: it carries no proof'])
    expect(existsSync(lockOf(yard))).toBe(true)
    rmSync(lockOf(yard))
    expect(await statuses(yard, 'main')).toEqual(['proven'])
    expect(await statuses(yard)).toEqual(['part', 'proven'])
    expect(git(yard.user, 'notes', '--ref', 'ropewalk', 'show', 'main~2')).toBe('mine')
  })

  it('is not noted again when somebody has removed its notes', async () => {
    const yard = await ready()
    await yard.perform('Land')
    git(yard.user, 'update-ref', '-d', 'refs/notes/ropewalk')
    expect(await statuses(yard, 'main')).toEqual(['none: it carries no proof'])
  })

  it('has landed although the key is gone, when the branch had moved before a kill', async () => {
    const yard = await ready({ signWith: '/nowhere/key' })
    const { line } = await yard.state()
    await expect(yard.perform('Land', { lose: true })).rejects.toThrow(TerminalError)
    expect(git(yard.user, 'rev-parse', 'main')).toBe(line.target)
    await yard.repository.land({ branch: 'main', from: line.target, to: line.tip })
    const { ending, interims } = await yard.perform('Land', { try: 2 })
    expect(ending).toMatchObject({ type: 'Landed', to: line.tip })
    expect(interims).toMatchObject([{ type: 'ConcernRaised', text: expect.stringContaining('could not be noted') }])
  })

  it('is signed once: what is noted already is not signed again after a kill', async () => {
    const yard = await ready({ signWith: 'key' })
    let signed = 0
    const sign = async () => {
      signed += 1
      return { keyid: 'k', sig: 's' }
    }
    yard.world.signing = { ...yard.world.signing, sign }
    await yard.perform('Land', { lose: true })
    expect(await yard.perform('Land', { try: 2 })).toMatchObject({ ending: { type: 'Landed' }, interims: [] })
    expect(signed).toBe(1)
  })
})

describe('the commits of a story that has several', () => {
  const noteOn = (yard: Yard, revision: string): string =>
    git(yard.user, 'notes', '--ref', 'ropewalk', 'show', revision)
  const note = (yard: Yard, revision: string, text: string): string =>
    git(yard.user, 'notes', '--ref', 'ropewalk', 'add', '-f', '-m', text, revision)

  it('are told as parts of the last, which has the proof', async () => {
    const yard = await ready()
    await yard.perform('Land')
    const [part, whole] = await verified(yard, 'main~2..main')
    expect([part?.status, whole?.status]).toEqual(['part', 'proven'])
    expect(part?.proof).toMatchObject({ story: 'one', whole: whole?.commit, parts: [part?.commit] })
  })

  it('are none when the last does not say so, is not here, or does not hold', async () => {
    const yard = await ready()
    await yard.perform('Land')
    const [part, whole] = [noteOn(yard, 'main~1'), noteOn(yard, 'main')]
    note(yard, 'main~2', part)
    expect(await statuses(yard, 'main~2')).toEqual([expect.stringMatching(/^broken: .* does not say so$/)])
    note(yard, 'main~1', part.replace(/[0-9a-f]{40}/, 'ab'.repeat(20)))
    expect(await statuses(yard, 'main~1')).toEqual([`unknown: it is part of ${'ab'.repeat(20)}, which is not here`])
    note(yard, 'main~1', part)
    const all = JSON.stringify([git(yard.user, 'rev-parse', 'main~2'), git(yard.user, 'rev-parse', 'main~1')])
    note(yard, 'main', whole.replace(/"parts":\[[^\]]*\]/, `"parts":${all}`))
    expect(await statuses(yard)).toEqual([
      expect.stringMatching(/^broken: it is part of .*: what it names as its parts is not what lies below it$/),
      'broken: what it names as its parts is not what lies below it',
    ])
  })

  it('do not vouch for each other in a circle', async () => {
    const yard = await ready()
    await yard.perform('Land')
    const line = (revision: string): string =>
      JSON.stringify({ ropewalk_part_of: git(yard.user, 'rev-parse', revision) })
    note(yard, 'main', line('main~1'))
    expect(await statuses(yard)).toEqual([
      expect.stringMatching(/^broken: it is part of .*: its note is no statement of ours$/),
      expect.stringMatching(/^broken: it is part of .*: its note is no statement of ours$/),
    ])
  })
})

describe('a commit that was proven together with one that is not here', () => {
  it('cannot be told', async () => {
    const yard = await ready()
    await yard.perform('Land')
    const noted = git(yard.user, 'notes', '--ref', 'ropewalk', 'show', 'main')
    const absent = 'cd'.repeat(20)
    const text = noted.replace(/"provenBy":\{"commit":"[0-9a-f]{40}"/, `"provenBy":{"commit":"${absent}"`)
    git(yard.user, 'notes', '--ref', 'ropewalk', 'add', '-f', '-m', text, 'main')
    expect(await statuses(yard, 'main')).toEqual([
      `unknown: it was proven together with ${absent}, which is not here: \`git fetch\` may bring it`,
    ])
  })
})
