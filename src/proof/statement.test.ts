import { describe, expect, it } from 'vitest'
import { proven, sample, sampleFacts } from '../../test/samples/statement.ts'
import { policy } from '../../test/simulation/sample.ts'
import {
  type ProofEntry,
  recordProblems,
  type Statement,
  statementOf,
  statementProblems,
  trailersIn,
} from './statement.ts'
import { envelopeOf, noteWith, payloadOf, signedText, statementsIn } from './statement-note.ts'

const changed = (change: (statement: Statement) => unknown): Statement => {
  const statement = structuredClone(sample())
  change(statement)
  return statement
}

describe('a statement', () => {
  it('is an in-toto statement with a test-result predicate that names commit, tree and checks', () => {
    expect(sample()).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
      subject: [{ digest: { gitCommit: sampleFacts.commit } }, { digest: { gitTree: sampleFacts.tree } }],
      predicate: {
        result: 'PASSED',
        passedTests: ['test'],
        warnedTests: [],
        failedTests: [],
        configuration: [{ name: 'test', content: 'bnBtIHRlc3Q=', annotations: { command: 'npm test', exitCode: 0 } }],
        ropewalk_proof: { reviewers: [] },
      },
    })
  })

  it('warns where a check passed with a concern, and knows no exit code where the base is red too', () => {
    const { predicate } = statementOf({
      ...proven,
      checks: [{ ...proven.checks[0]!, concerns: ['the base is red: a'], relative: true }],
    })
    expect(predicate).toMatchObject({ result: 'WARNED', passedTests: [], warnedTests: ['test'] })
    expect(predicate.configuration[0]?.annotations.exitCode).toBeNull()
    expect(predicate.ropewalk_proof.concerns).toEqual(['the base is red: a'])
  })

  it('fits its commit', () => {
    expect(statementProblems(sample(), sampleFacts)).toEqual([])
  })

  const wrong: [what: string, statement: Statement, problem: RegExp][] = [
    ['another commit', changed((one) => (one.subject[0].digest.gitCommit = '7'.repeat(40))), /about 7777/],
    ['another tree', changed((one) => (one.subject[1].digest.gitTree = '7'.repeat(40))), /about the tree 7777/],
    [
      'checks of another tree',
      changed((one) => (one.predicate.ropewalk_proof.provenBy.tree = '7'.repeat(40))),
      /ran on the tree 7777/,
    ],
    ['another delivery', changed((one) => (one.predicate.ropewalk_proof.delivery = 'd2')), /delivery d1, .*d2/],
    ['another story', changed((one) => (one.predicate.ropewalk_proof.story = 'other')), /story dates/],
    ['another chain', changed((one) => (one.predicate.ropewalk_proof.chain = null)), /chain .* nothing/],
    ['a failed check', changed((one) => one.predicate.failedTests.push('test')), /1 failed/],
    ['a check that did not run', changed((one) => one.predicate.passedTests.push('lint')), /not those that ran/],
    ['no check', changed((one) => (one.predicate.configuration = [])), /names no check/],
    [
      'failed tests with exit code 0',
      changed((one) => Object.assign(one.predicate.configuration[0]!.annotations.counts!, { passed: 2, failed: 1 })),
      /exit code 0 with 1 failed/,
    ],
    [
      'more tests than there are',
      changed((one) => Object.assign(one.predicate.configuration[0]!.annotations.counts!, { total: 1 })),
      /3 tests of 1/,
    ],
    ['another command', changed((one) => (one.predicate.configuration[0]!.content = 'dHJ1ZQ==')), /not its command/],
    ['a check of nothing', changed((one) => (one.predicate.configuration = [null as never])), /lacks its command/],
    ['no word on its place', changed((one) => (one.predicate.ropewalk_proof.workspace = null as never)), /set up/],
    [
      'a digest that is none',
      changed((one) => (one.predicate.configuration[0]!.annotations.outputDigest = '../x')),
      /lacks its command, digest/,
    ],
    [
      'no word on counts',
      changed((one) => (one.predicate.configuration[0]!.annotations.counts = undefined as never)),
      /lacks its command, digest or counts/,
    ],
    [
      'no word on how it is run',
      changed((one) => (one.predicate.configuration[0]!.annotations.packages = undefined as never)),
      /how it is run/,
    ],
    [
      'a service that is no command',
      changed((one) => (one.predicate.ropewalk_proof.workspace.services = [{ up: 'a', down: {} } as never])),
      /set up/,
    ],
    ['no subject', changed((one) => (one.subject = [] as never)), /two subjects/],
    ['no predicate', changed((one) => (one.predicate = null as never)), /names no delivery/],
  ]
  it.each(wrong)('with %s does not fit', (_, statement, problem) => {
    expect(statementProblems(statement, sampleFacts).join('\n')).toMatch(problem)
  })

  it('of a commit that was proven with a later one says so and fits', () => {
    const provenBy = { commit: 'e'.repeat(40), tree: 'f'.repeat(40) }
    const statement = changed((one) => Object.assign(one.predicate.ropewalk_proof, { provenBy }))
    expect(statementProblems(statement, sampleFacts)).toEqual([])
  })
})

describe('the trailers of a commit', () => {
  it('are of its last paragraph, and not of its only one', () => {
    expect(trailersIn('Subject\n\nRopewalk-Story: a\n\nRopewalk-Delivery: d\nRopewalk-Chain: c\n')).toEqual({
      delivery: 'd',
      chain: 'c',
    })
    expect(trailersIn('Ropewalk-Story: a\n')).toEqual({})
  })
})

describe('a note', () => {
  const line = JSON.stringify(sample())

  it('keeps what is there and says a thing once', () => {
    expect(noteWith('', line)).toBe(`${line}\n`)
    expect(noteWith('mine', line)).toBe(`mine\n${line}\n`)
    expect(noteWith(noteWith('mine\n', line), line)).toBe(`mine\n${line}\n`)
  })

  it('is not signed once more when it says the same already', () => {
    const signed = (sig: string) => JSON.stringify(envelopeOf(line, { keyid: 'SHA256:a', sig }))
    const note = noteWith('', signed('AAAA'))
    expect(noteWith(note, signed('BBBB'))).toBe(note)
    expect(statementsIn(note)).toMatchObject([{ text: line, signatures: [{ sig: 'AAAA' }] }])
  })

  it('of somebody else has no statement of ours, whatever it looks like', () => {
    const others = ['', 'LGTM', '{', '[]', 'null', '{"_type":"https://in-toto.io/Statement/v1"}', '{"payload":1}', '{}']
    for (const other of others) expect(statementsIn(other)).toEqual([])
    expect(statementsIn(`LGTM\n${line}\n{\n`)).toHaveLength(1)
    expect(payloadOf({ payloadType: 'text/plain', payload: '', signatures: [] })).toBeNull()
  })

  it('is signed over its type and its exact bytes', () => {
    expect(signedText('é')).toBe('DSSEv1 28 application/vnd.in-toto+json 2 é')
  })
})

describe('a statement against the log', () => {
  const { provenBy } = proven.proof
  const proof = { tree: provenBy.tree, check: 'test', reused: false, ...told() }
  const judged: ProofEntry = {
    hash: 'h1',
    event: {
      ...{ type: 'Judged', step: 's', story: 'dates', judge: 'check:test', scope: 'line' },
      ...{ commit: provenBy.commit, tree: provenBy.tree, verdict: { status: 'passed', proof, concerns: [] } },
    },
  }
  const pinned: ProofEntry = { hash: 'h0', event: { type: 'PolicyPinned', policy: policy(), hash: 'p1' } }
  const advanced: ProofEntry = {
    hash: proven.proof.chain!,
    event: { type: 'LineAdvanced', step: 's', story: 'dates', from: 'x', to: proven.commit, tree: proven.tree },
  }

  it('agrees', () => {
    expect(recordProblems(sample(), [pinned, judged, advanced])).toEqual([])
  })

  it('names what the log does not have', () => {
    expect(recordProblems(sample(), [pinned, advanced])).toEqual([expect.stringMatching(/no such proof by test/)])
    expect(recordProblems(sample(), [pinned, judged])).toEqual([
      expect.stringMatching(/the commit of dates/),
      expect.stringMatching(/no event with the hash/),
    ])
    const more = changed((one) =>
      Object.assign(one.predicate.configuration[0]!.annotations.counts!, { total: 4, passed: 4 }),
    )
    expect(recordProblems(more, [pinned, judged, advanced])).toEqual([expect.stringMatching(/no such proof/)])
    const praised = changed((one) => one.predicate.ropewalk_proof.reviewers.push('agent mine'))
    expect(recordProblems(praised, [pinned, judged, advanced])).toEqual([
      'the log does not have it as reviewed by agent mine',
    ])
    const trap = changed((one) =>
      Object.assign(one.predicate.ropewalk_proof, { setup: { run: 'rm -r /', timeoutMs: 1 } }),
    )
    expect(recordProblems(trap, [pinned, judged, advanced])).toEqual([expect.stringMatching(/do not have "rm -r \/"/)])
  })

  function told() {
    const { command, environmentKey, counts, durationMs, outputDigest } = proven.checks[0]!
    return { command, environmentKey, counts, durationMs, outputDigest }
  }
})
