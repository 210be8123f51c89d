// Reviewers who disagree, what they are shown, and coders who mend otherwise than they should.
import type { Case } from '../../case.ts'
import { approves, claim, mends, one, playing, refuses, satisfiedOnceMended, says, two } from './parts.ts'

const rebuts = (stance: string, evidence: string): string =>
  says({ rebuttals: [{ finding: 'F1', stance, because: 'It is as it should be.', evidence }] })
const disagreeing = (rebuttal: string): string =>
  `case "$PROMPT" in *'findings of others'*) ${rebuttal} ;; *'nobody thought of'*) ${approves} ;; *) ${satisfiedOnceMended} ;; esac`
const tried = {
  review: { ...one.review, verifyByTest: true },
  checks: { test: { run: 'node --test', related: 'node --test {files}', timeoutMs: 60_000 } },
}
const reproduces = `cat > test/repro.test.js <<'TEST'
import assert from 'node:assert/strict'
import test from 'node:test'
import { multiply } from '../src/multiply.js'

test('refuses text', () => {
  assert.throws(() => multiply('a', 'b'))
})
TEST
${says({ tests: [{ finding: 'F1', file: 'test/repro.test.js', test: 'refuses text', shows: 'Missing expected exception' }], none: [] })}`
const unmet = (state: string): string =>
  says({
    verdict: 'approve',
    checked: ['all'],
    criteria: [{ number: 1, state, why: 'It is called a known limitation.' }],
  })
const stories = [{ id: 'multiply', criteria: ['text is refused'] }]

export const disagreement: Case[] = [
  {
    ...{ code: 'FE7', name: 'one blocks, the other disputes it with a quotation', expect: 'caught', settings: two },
    agent: playing({ reviewer: disagreeing(rebuts('disputed', claim.evidence)) }),
    names: /split|disput|changed nothing/,
  },
  {
    ...{ code: 'FE7', name: 'one blocks, the other upholds it, and it is mended', expect: 'passes', settings: two },
    agent: playing({ coder: mends, reviewer: disagreeing(rebuts('upheld', '')) }),
  },
  {
    ...{ code: 'FE8', name: 'the diff is the story alone, whatever the branch is called', expect: 'passes' },
    settings: one,
    branch: 'trunk',
    agent: playing({
      reviewer: `case "$PROMPT" in *'+export const sum'*) exit 9 ;; *'+export const multiply'*) ${approves} ;; *) exit 9 ;; esac`,
    }),
  },
  {
    ...{ code: 'FE9', name: 'the diff is too large for a prompt, and is in a file', expect: 'passes', settings: one },
    agent: playing({
      coder: `work; i=0; while [ $i -lt 9000 ]; do echo "// a remark of this module, number $i"; i=$((i+1)); done >> src/multiply.js`,
      reviewer: `file=$(printf '%s' "$PROMPT" | sed -n 's/.*read all of it in \\(.*change-[^)]*\\)).*/\\1/p'); grep -q 'number 8999' "$file" && ${approves}`,
    }),
  },
  {
    ...{ code: 'FE10', name: 'loosens the test of a finding instead of mending', expect: 'caught', settings: tried },
    agent: playing({
      coder: `work; test -e test/repro.test.js && sed -i 's/assert.throws/assert.ok/' test/repro.test.js; true`,
      ...{ reviewer: refuses(claim), tests: reproduces },
    }),
    names: /leave the test as it is/,
  },
  {
    ...{ code: 'FE10', name: 'mends what the test of a finding shows', expect: 'passes', settings: tried },
    agent: playing({ coder: mends, reviewer: satisfiedOnceMended, tests: reproduces }),
  },
  {
    ...{ code: 'FE11', name: 'mends nothing', expect: 'caught', settings: one },
    agent: playing({ reviewer: refuses(claim) }),
    names: /changed nothing|still want work/,
  },
  {
    ...{ code: 'FE13', name: 'calls what is missing a known limitation', expect: 'caught', settings: one, stories },
    agent: playing({ reviewer: unmet('missing') }),
    names: /criterion|changed nothing|still want work/,
  },
  {
    ...{
      code: 'FE14',
      name: 'leaves a part of it for later, and calls it done',
      expect: 'caught',
      settings: one,
      stories,
    },
    agent: playing({ reviewer: unmet('partial') }),
    names: /criterion|changed nothing|still want work/,
  },
  {
    ...{ code: 'FE14', name: 'has done all of it', expect: 'passes', settings: one, stories },
    agent: playing({ coder: mends, reviewer: unmet('met') }),
  },
]
