import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formats } from '../../../src/adapters/formats/formats.ts'
import { openRepositories } from '../../../src/adapters/git/repositories.ts'
import type { Replay, Settle } from '../../../src/ports/repository/composing.ts'
import { settleConflicts } from '../../../src/steps/merge/settle.ts'
import { write } from '../../empty-repository.ts'
import { codeStory, message, openStory, openYard, type Yard } from '../repository-walk.ts'
import { git, makeUserRepository, userFingerprint } from '../user-repository.ts'
import { edits, type Work } from './two-stories.ts'

const settle: Settle = async (conflicts, merged) =>
  settleConflicts({ conflicts, merged }, { locks: new Map(), formats: formats() })

/** A commit as a coder makes it, with a date of its own. */
function commits(workspace: string, files: Record<string, string>, text: string, date = '1600000000 +0200'): void {
  write(workspace, files)
  git(workspace, 'add', '-A')
  const env = { PATH: process.env.PATH, HOME: '/dev/null', GIT_CONFIG_GLOBAL: '/dev/null' }
  execFileSync('git', ['commit', '-q', '--author', 'Co Der <co@der>', '--date', date, '-m', text], {
    cwd: workspace,
    env: { ...env, GIT_COMMITTER_DATE: '1650000000 +0000' },
  })
}

async function coded(yard: Yard, name: string, work: Work): Promise<string> {
  const path = await openStory(yard, name)
  work(path)
  const request = { path, base: yard.base, message: message(name), method: 'rebase' as const }
  return (await yard.repository.harvest(request)).commit
}

async function replayOf(yard: Yard, commit: string, addition = ''): Promise<Replay> {
  const whole = await yard.repository.commits({ from: yard.base, to: commit, limit: 50 })
  return {
    addition,
    commits: whole.map((one) => ({
      commit: one.commit,
      parent: one.parents[0]!,
      by: one.message.startsWith('story\n') ? null : { author: one.author, message: one.message },
    })),
  }
}

interface Given {
  files: Record<string, string>
  line: Work
  story: Work
  addition?: string
}

/** A story of several commits on top of another one. */
async function replayed({ files, line, story, addition }: Given) {
  const yard = await openYard(makeUserRepository(files))
  const { repository, base, user } = yard
  const before = userFingerprint(user)
  const onto = await codeStory(yard, 'line', line)
  const commit = await coded(yard, 'story', story)
  const request = { onto, base, commit, message: message('story'), settle }
  const replay = await replayOf(yard, commit, addition)
  const composed = await repository.compose({ ...request, method: 'rebase', replay })
  if (composed.status !== 'composed') throw new Error('a conflict')
  const squash = await repository.compose(request)
  expect(userFingerprint(user)).toEqual(before)
  const laid = await repository.commits({ from: onto, to: composed.commit, limit: 50 })
  return {
    yard,
    onto,
    composed,
    squash,
    laid,
    again: () => repository.compose({ ...request, method: 'rebase', replay }),
  }
}

const saying = (laid: { message: string }[]): string[] => laid.map((one) => one.message.split('\n', 1)[0]!)

describe('the coder’s commits, laid one by one', () => {
  it('keep author, date and message; what was not committed is the last one, with our trailers', async () => {
    const { yard, onto, composed, squash, laid, again } = await replayed({
      files: { 'a.txt': 'a\n' },
      line: edits({ 'line.txt': 'line\n' }),
      story: (workspace) => {
        commits(workspace, { 'b.txt': 'b\n' }, 'Add b\n\nBecause.')
        commits(workspace, { 'c.txt': 'c\n' }, 'Add c', '1600000100 -0330')
        write(workspace, { 'd.txt': 'd\n' })
      },
    })
    expect(saying(laid)).toEqual(['Add b', 'Add c', 'story'])
    expect(laid[0]).toMatchObject({
      parents: [onto],
      author: { name: 'Co Der', email: 'co@der', date: '1600000000 +0200' },
      message: 'Add b\n\nBecause.\n',
    })
    expect(laid[1]!.author.date).toBe('1600000100 -0330')
    expect(laid[2]!.author.name).toBe('Grace')
    expect(laid[2]!.message).toBe('story\n\nBecause it was asked for.\n\nRopewalk-Delivery: d1\n')
    expect(composed).toMatchObject({ squashed: null, commit: laid[2]!.commit })
    expect(squash).toMatchObject({ tree: composed.tree })
    expect(await yard.repository.listFiles(laid[0]!.commit)).toEqual(['a.txt', 'b.txt', 'line.txt'])
    expect(await again()).toEqual(composed)
  })

  it('end with the coder’s own last one when all is committed: our trailers stand beside theirs', async () => {
    const { laid } = await replayed({
      files: { 'a.txt': 'a\n' },
      line: edits({ 'line.txt': 'line\n' }),
      story: (workspace) => {
        commits(workspace, { 'b.txt': 'b\n' }, 'Add b')
        commits(workspace, { 'c.txt': 'c\n' }, 'Add c\n\nWhy not.\n\nCo-authored-by: Bo <bo@x>')
      },
      addition: 'Changes tests by plan: c.txt',
    })
    expect(laid.map((one) => one.message)).toEqual([
      'Add b\n',
      'Add c\n\nWhy not.\n\nChanges tests by plan: c.txt\n\nCo-authored-by: Bo <bo@x>\nRopewalk-Delivery: d1\n',
    ])
  })

  it('are the same after a kill, by another process', async () => {
    const { yard, composed, onto } = await replayed({
      files: { 'a.txt': 'a\n' },
      line: edits({ 'line.txt': 'line\n' }),
      story: (workspace) => {
        commits(workspace, { 'b.txt': 'b\n' }, 'Add b')
        write(workspace, { 'c.txt': 'c\n' })
      },
    })
    const repositories = openRepositories({ home: yard.home })
    const other = { ...yard, repository: await repositories.open(await repositories.find(yard.user)) }
    const commit = (
      await other.repository.harvest({
        path: yard.at('story'),
        base: yard.base,
        message: message('story'),
        method: 'rebase',
      })
    ).commit
    const replay = await replayOf(other, commit)
    const request = { onto, base: yard.base, commit, message: message('story'), settle, replay }
    expect(await other.repository.compose({ ...request, method: 'rebase' })).toEqual(composed)
  })

  it('leave out what the line has already', async () => {
    const { laid, composed, squash } = await replayed({
      files: { 'a.txt': 'a\n' },
      line: edits({ 'b.txt': 'b\n' }),
      story: (workspace) => {
        commits(workspace, { 'b.txt': 'b\n' }, 'Add b, as on the line')
        commits(workspace, { 'c.txt': 'c\n' }, 'Add c')
      },
    })
    expect(saying(laid)).toEqual(['Add c'])
    expect(squash).toMatchObject({ tree: composed.tree })
  })

  it('are settled by rules, each and the whole', async () => {
    const json = (...names: string[]) => `{\n${names.map((name) => `  "${name}": 1`).join(',\n')}\n}\n`
    const { laid, composed, squash, yard } = await replayed({
      files: { 'a.json': json('a') },
      line: edits({ 'a.json': json('a', 'line') }),
      story: (workspace) => {
        commits(workspace, { 'a.json': json('a', 'b') }, 'Add b')
        commits(workspace, { 'a.json': json('a', 'b', 'c') }, 'Add c')
      },
    })
    expect(saying(laid)).toEqual(['Add b', 'Add c'])
    expect(await yard.repository.readFile(laid[0]!.commit, 'a.json')).toBe(json('a', 'b', 'line'))
    expect(await yard.repository.readFile(composed.commit, 'a.json')).toBe(json('a', 'b', 'c', 'line'))
    expect(laid[1]!.message).toContain('\n\nMerged by structure: a.json\n\nRopewalk-Delivery')
    expect(squash).toMatchObject({ tree: composed.tree })
  })

  it('are one commit when one of them does not fit by itself, although the whole does', async () => {
    const { laid, composed, squash } = await replayed({
      files: { 'a.txt': 'one\ntwo\nthree\n' },
      line: edits({ 'a.txt': 'one\ntwo by the line\nthree\n' }),
      story: (workspace) => {
        commits(workspace, { 'a.txt': 'one\ntwo by the story\nthree\n', 'b.txt': 'b\n' }, 'Go there')
        commits(workspace, { 'a.txt': 'one\ntwo\nthree\n' }, 'And back')
      },
    })
    expect(composed.squashed).toMatch(/^its commit [0-9a-f]{10} \(Go there\) does not fit onto the line by itself$/)
    expect(composed).toEqual({ ...squash, squashed: composed.squashed })
    expect(saying(laid)).toEqual(['story'])
  })
})

describe('what the coder has made of its own git', () => {
  const begun = async (work: Work) => {
    const yard = await openYard(makeUserRepository({ 'a.txt': 'a\n' }))
    const commit = await coded(yard, 'story', work)
    return { yard, chain: await yard.repository.commits({ from: yard.base, to: commit, limit: 50 }) }
  }
  it.each<[string, Work, string[]]>([
    ['nothing committed', edits({ 'b.txt': 'b\n' }), ['story']],
    [
      'a history of its own',
      (workspace) => {
        git(workspace, 'checkout', '-q', '--orphan', 'fresh')
        commits(workspace, { 'b.txt': 'b\n' }, 'All anew')
      },
      ['story'],
    ],
    [
      'a broken one',
      (workspace) => {
        commits(workspace, { 'b.txt': 'b\n' }, 'Add b')
        rmSync(join(workspace, '.git/objects'), { recursive: true })
      },
      ['story'],
    ],
    [
      'a branch, and a detached head on it',
      (workspace) => {
        git(workspace, 'checkout', '-q', '-b', 'mine')
        commits(workspace, { 'b.txt': 'b\n' }, 'Add b')
        git(workspace, 'checkout', '-q', '--detach')
        commits(workspace, { 'c.txt': 'c\n' }, 'Add c')
      },
      ['Add b', 'Add c', 'story'],
    ],
    [
      'a head that names no commit',
      (workspace) => {
        write(workspace, { 'b.txt': 'b\n' })
        writeFileSync(join(workspace, '.git/HEAD'), `${'ab'.repeat(20)}\n`)
      },
      ['story'],
    ],
  ])('%s', async (_name, work, subjects) => {
    const { chain } = await begun(work)
    expect(saying(chain)).toEqual(subjects)
    expect(chain[0]!.parents).toHaveLength(1)
  })

  it('goes on over rounds, whether the workspace is put back or stays', async () => {
    const yard = await openYard(makeUserRepository({ 'a.txt': 'a\n' }))
    const first = await coded(yard, 'story', (workspace) => commits(workspace, { 'b.txt': 'b\n' }, 'Add b'))
    const path = yard.at('story')
    for (const [stays, subjects] of [
      ['ignored', ['Add b', 'story', 'Add c', 'story']],
      ['all', ['Add b', 'story', 'Add c', 'Add d', 'story']],
    ] as const) {
      await yard.repository.openWorkspace({ path, at: first, archiveAs: 'd1/story/2', stays })
      const letter = stays === 'all' ? 'd' : 'c'
      commits(path, { [`${letter}.txt`]: 'x\n' }, `Add ${letter}`)
      const { commit } = await yard.repository.harvest({
        ...{ path, base: yard.base, message: message('story') },
        method: 'rebase',
      })
      expect(saying(await yard.repository.commits({ from: yard.base, to: commit, limit: 50 }))).toEqual(subjects)
    }
  })
})
