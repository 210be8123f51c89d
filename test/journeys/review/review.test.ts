// Reviewers, their findings, and what becomes of them, from the request to the target.
import { describe, expect, it } from 'vitest'
import { git } from '../../contract/user-repository.ts'
import { exits } from '../binary.ts'
import { story } from '../yard.ts'
import {
  approves,
  claim,
  coder,
  edge,
  open,
  refuses,
  repro,
  reviewer,
  right,
  rolesOf,
  sorts,
  testWriter,
  totalTest,
  triager,
  wrong,
} from './cast.ts'

const plan = [story('total', { criteria: ['the discount is taken off'] })]
const mending = { prompt: 'The discount is ignored' }
const landed = (repo: string): string => git(repo, 'show', 'main:src/total.mjs')

describe('what two reviewers find', () => {
  it('is mended and lands in two rounds, when it is true', async () => {
    const other = { ...claim, severity: 'important', message: 'A discount never lowers what is paid.' }
    const yard = open([
      coder(wrong),
      coder(right, mending),
      reviewer([refuses(claim)]),
      reviewer([refuses(other)], edge),
      reviewer([approves], { round: 2 }),
      reviewer([approves], { round: 2, ...edge }),
      triager([sorts(['accepted', 'blocking'], ['accepted', 'important'])]),
    ])
    exits(await yard.runPlan(plan), 0)
    expect(landed(yard.repo)).toBe(right.trimEnd())
    expect(await rolesOf(yard)).toEqual(['coder', 'reviewer', 'reviewer', 'triager', 'coder', 'reviewer', 'reviewer'])
    const words = (await yard.eventsOf('StoryReviewed')).map(({ word }) => word.status === 'returned' && word.verdict)
    expect(words).toEqual(['needs-work', 'needs-work', 'approve', 'approve'])
  })

  it('is left, with its reasons, where it is not about the change', async () => {
    const old = {
      ...claim,
      file: 'src/one.mjs',
      line: 1,
      message: 'One should be two.',
      evidence: 'export const one = 1',
    }
    const yard = open(
      [coder(right), reviewer([refuses(old)]), reviewer([approves], edge), triager([sorts(['deferred', 'note'])])],
      {
        review: { rebuttal: false },
      },
    )
    exits(await yard.runPlan(plan), 0)
    expect(landed(yard.repo)).toBe(right.trimEnd())
    expect(await yard.eventsOf('FindingsTriaged')).toMatchObject([{ sorted: [{ fate: 'deferred' }] }])
  })

  it('is another thing every round: after three of them nobody goes on by themselves', async () => {
    const bad = (round: number) => `${wrong}export const more = ${round}\n`
    const next = (round: number) => ({
      ...{ ...claim, line: 4, message: `Point ${'abc'[round - 1]!.repeat(9)}: this name says nothing.` },
      evidence: `export const more = ${round}`,
    })
    const rounds = [1, 2, 3]
    const yard = open(
      [
        coder(bad(1)),
        ...rounds.slice(1).map((round) => coder(bad(round), { prompt: next(round - 1).message })),
        ...rounds.map((round) => reviewer([refuses(next(round))], { round })),
        triager([sorts(['accepted', 'blocking'])]),
      ],
      { limits: { attemptsPerStory: 1 } },
    )
    const { code, stdout, stderr } = await yard.runPlan(plan, '--unattended')
    expect(code, stdout + stderr).not.toBe(0)
    expect(stdout).toMatch(/reviewers still want work after 3 rounds/)
    expect(git(yard.repo, 'log', '--format=%s', 'main').split('\n')).toHaveLength(1)
    expect((await rolesOf(yard)).filter((role) => role === 'coder')).toHaveLength(3)
  })
})

describe('a finding that is tried by a test', () => {
  const script = (test: string, ...more: object[]) => scriptOf(testWriter(test), ...more)
  const scriptOf = (writer: object, ...more: object[]) => [
    coder(wrong),
    reviewer([refuses(claim)]),
    reviewer([approves], { round: 2 }),
    triager([sorts(['accepted', 'blocking'])]),
    writer,
    ...more,
  ]
  const verifying = { review: { verifyByTest: true } }

  it('is confirmed when it fails as predicted: the test is what the coder starts from, and lands with the code', async () => {
    const fix = {
      role: 'coder',
      prompt: 'The discount is ignored',
      do: [{ shell: 'test -e test/repro.test.mjs' }, { write: { 'src/total.mjs': right } }],
    }
    const yard = open(script(repro('7'), fix), verifying)
    exits(await yard.runPlan(plan), 0)
    expect((await yard.eventsOf('FindingsReproduced'))[0]).toMatchObject({ reproductions: [{ result: 'confirmed' }] })
    expect(yard.files()).toEqual(expect.arrayContaining(['test/repro.test.mjs', 'test/total.test.mjs']))
    expect(landed(yard.repo)).toBe(right.trimEnd())
  })

  it('may not be loosened by whoever mends it', async () => {
    const loosens = {
      role: 'coder',
      prompt: 'The discount is ignored',
      do: [{ write: { 'test/repro.test.mjs': repro('10') } }],
    }
    const yard = open(script(repro('7'), loosens), {
      ...verifying,
      limits: { attemptsPerStory: 1, roundsPerAttempt: 2 },
    })
    const { code, stdout } = await yard.runPlan(plan, '--unattended')
    expect(code).not.toBe(0)
    expect(stdout).toMatch(/leave the test as it is/)
    expect(git(yard.repo, 'log', '--format=%s', 'main').split('\n')).toHaveLength(1)
  })

  it('is left for later when it passes, and the test is gone', async () => {
    const ifTrue = { file: 'src/total.mjs', is: 'b, 0)', wouldBe: 'b, 0) - discount' }
    const yard = open(scriptOf(testWriter(repro('10'), { shows: '7 !== 10', ifTrue })), verifying)
    exits(await yard.runPlan(plan), 0)
    expect((await yard.eventsOf('FindingsReproduced'))[0]).toMatchObject({
      reproductions: [{ result: 'refuted' }],
      red: null,
    })
    expect(yard.files()).not.toContain('test/repro.test.mjs')
    expect(landed(yard.repo)).toBe(wrong.trimEnd())
  })

  it('stands when the test says nothing', async () => {
    const yard = open(script(`${totalTest}(`, coder(right, mending)), verifying)
    exits(await yard.runPlan(plan), 0)
    expect((await yard.eventsOf('FindingsReproduced'))[0]).toMatchObject({
      reproductions: [{ result: 'inconclusive' }],
    })
    expect(landed(yard.repo)).toBe(right.trimEnd())
    expect(yard.files()).not.toContain('test/repro.test.mjs')
  })
})
