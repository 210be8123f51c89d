// Reviewers that are one model and agree, and those whom a diff calls for, with the built binary.
import { describe, expect, it } from 'vitest'
import { git } from '../../contract/user-repository.ts'
import { exits, until } from '../binary.ts'
import { story, type Yard } from '../yard.ts'
import { approves, coder, open, reviewer, right, totalTest, wrong } from './cast.ts'

/** The person comes back to what was begun, and is asked in another terminal. */
async function attended(yard: Yard, stories: object[]) {
  exits(await yard.runPlan(stories, '--gates', 'plan'), 2)
  exits(await yard.ropewalk('approve'), 0)
  return yard.start(['resume', '--attended'])
}

const concerns = async (yard: Yard): Promise<string> =>
  (await yard.eventsOf('DeliveryCompleted')).flatMap((event) => event.concerns).join('\n')

const mending = { prompt: 'The discount must be taken off' }

describe('reviewers of one model who agree', () => {
  it('are put to whoever is there, whose finding is mended, and who may trust them after all', async () => {
    const yard = open([coder(wrong), coder(right, mending), reviewer([approves])])
    const driving = await attended(yard, [story('total')])
    await until(() => driving.printed().includes('unverified-total-1'))
    const inbox = exits(await yard.ropewalk('inbox'), 0).stdout
    expect(inbox).toMatch(
      /All 2 reviewers of total approve, but all of them are the same model \(other\)\. Is that enough\?/,
    )
    for (const option of ['trust', 'trust-all', 'review-again', 'blocking']) expect(inbox).toContain(option)
    expect(exits(await yard.ropewalk('status'), 0).stdout).toMatch(/waiting for you: only one model reviewed this/)
    expect(exits(await yard.ropewalk('answer', 'unverified-total-1', 'blocking'), 1).stderr).toMatch(
      /not said what has to be fixed/,
    )
    exits(await yard.ropewalk('answer', 'unverified-total-1', '4', 'The discount must be taken off'), 0)
    await until(() => driving.printed().includes('unverified-total-2'))
    exits(await yard.ropewalk('answer', 'unverified-total-2', 'trust'), 0)
    exits(await driving.done, 0)
    expect(git(yard.repo, 'show', 'main:src/total.mjs')).toBe(right.trimEnd())
    expect(exits(await yard.ropewalk('report'), 0).stdout).toMatch(/unverified, since only one model.*trusts/)
    expect(await concerns(yard)).not.toMatch(/unverified/)
  })

  it('are told, and not asked about, where nobody is there', async () => {
    const yard = open([coder(right), reviewer([approves])])
    exits(await yard.runPlan([story('total')], '--unattended'), 0)
    expect(await yard.eventsOf('QuestionAsked')).toEqual([])
    expect(await concerns(yard)).toMatch(/unverified: only one model has reviewed it/)
  })
})

describe('a diff that calls for somebody', () => {
  const files = {
    'src/total.mjs': right,
    'test/total.test.mjs': totalTest,
    'src/auth/login.mjs': 'export const who = 1\n',
  }
  const login = { role: 'coder', do: [{ write: files }] }

  it('is looked at from there by a reviewer of its own, and everybody can see it', async () => {
    const yard = open([login, reviewer([approves])])
    exits(await yard.runPlan([story('total')]), 0)
    expect((await yard.eventsOf('StoryReviewed')).map(({ vantage }) => vantage).sort()).toEqual([
      ...['correctness', 'edge-cases', 'security'],
    ])
    const prompts = exits(await yard.ropewalk('prompt', 'reviewer-security', 'total'), 0).stdout
    expect(prompts).toContain('who means harm')
    expect(exits(await yard.ropewalk('why', 'total'), 0).stdout).toMatch(
      /security \(looker, other, the diff calls for it\)/,
    )
    const report = exits(await yard.ropewalk('report', '--internal'), 0).stdout
    expect(report).toMatch(/security \(looker, other, the diff calls for it\) approves/)
    expect(report).toMatch(/looker \(other\)\s*\|?\s*security/)
  })
})
