import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { defaults } from '../../../default-settings.ts'
import { openYard, type Yard } from '../yard.ts'

const by = 'Ada'
const limits = { ...defaults.limits, checks: 1, attemptsPerStory: 1, roundsPerAttempt: 1 }
const conflict = '<<<<<<< x\n=======\n>>>>>>> y\n'

/** The only attempt is red, and a human takes over. */
async function takenOver(write: Record<string, string>): Promise<{ yard: Yard; path: string }> {
  const yard = await openYard({
    files: { 'a.txt': 'a\n', '.gitignore': 'deps/\n' },
    stories: [{ id: 'one' }],
    script: [{ do: [{ write }] }],
    policy: { unattended: false, limits },
  })
  await yard.perform('CodeStory')
  if ('b.txt' in write) await yard.perform('Judge')
  await yard.perform('AskQuestion')
  await yard.tell({ type: 'QuestionAnswered', question: 'escalation-one-1', option: 'take-over', text: '', by })
  const { ending } = await yard.perform('LendWorkspace')
  if (ending.type !== 'WorkspaceLent') throw new Error(`it is not lent: ${ending.type}`)
  await yard.perform('AskQuestion')
  return { yard, path: ending.path }
}

const done = (yard: Yard, text: string) =>
  yard.tell({ type: 'QuestionAnswered', question: 'take-over-one-2', option: 'done', text, by })

describe('a story that a human takes over', () => {
  it('is theirs in a workspace that begins with the last work, and what they leave is judged like any other', async () => {
    const { yard, path } = await takenOver({ 'b.txt': conflict })
    expect(readFileSync(`${path}/b.txt`, 'utf8')).toBe(conflict)
    writeFileSync(`${path}/b.txt`, 'b\n')
    execFileSync('git', ['add', '.'], { cwd: path })
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=a@b', 'commit', '-qm', 'mine'], { cwd: path })
    writeFileSync(`${path}/c.txt`, 'not committed\n')
    await done(yard, 'Mind the password hunter2.')
    const { ending } = await yard.perform('HarvestStory')
    expect(ending).toMatchObject({
      type: 'StoryCoded',
      handoff: { quality: 'partial', notes: 'Mind the password [redacted].' },
    })
    const commit = ending.type === 'StoryCoded' ? ending.commit : ''
    expect(await yard.repository.readFile(commit, 'b.txt')).toBe('b\n')
    expect(await yard.repository.readFile(commit, 'c.txt')).toBe('not committed\n')
    expect((await yard.perform('Judge')).ending).toMatchObject({ verdict: { status: 'passed' } })
  })

  it('keeps what was taken when we are killed before it is on record', async () => {
    const { yard, path } = await takenOver({ 'b.txt': conflict })
    writeFileSync(`${path}/b.txt`, 'b\n')
    await done(yard, '')
    await yard.perform('HarvestStory', { lose: true })
    writeFileSync(`${path}/b.txt`, 'changed since\n')
    const { ending } = await yard.perform('HarvestStory', { try: 2 })
    expect(await yard.repository.readFile(ending.type === 'StoryCoded' ? ending.commit : '', 'b.txt')).toBe('b\n')
  })

  it('needs a human again when nothing is in the workspace', async () => {
    const { yard, path } = await takenOver({})
    expect(existsSync(`${path}/a.txt`)).toBe(true)
    await done(yard, '')
    expect((await yard.perform('HarvestStory')).ending).toMatchObject({ type: 'CodingFailed', kind: 'empty' })
    expect((await yard.state()).stories.one!.control).toMatchObject({
      status: 'escalated',
      reason: expect.stringContaining('nothing was changed'),
    })
  })
})
