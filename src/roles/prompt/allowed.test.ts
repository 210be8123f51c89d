import { describe, expect, it } from 'vitest'
import { sampleSetting } from '../../../test/samples/prompt-setting.ts'
import { sampleReview } from '../../../test/samples/review-brief.ts'
import type { Finding } from '../../delivery/judging/finding.ts'
import { checkerPrompt } from '../challenger/challenger.ts'
import { readerPrompt } from '../interpreter.ts'
import { rebuttalContract, rebuttalPrompt, reviewerPrompt } from '../reviewer/prompt.ts'
import { assemble, type Prompt } from './prompt.ts'
import { section } from './sections.ts'
import { checklistSection, transitionSection } from './shared.ts'

/** Of a script whose letters take three bytes each. */
const said = (letters: number): string => '改'.repeat(letters)
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const whole = ({ text, files }: Prompt): string => [text, ...files.map((file) => file.text)].join('\n')

/** As long as the contracts of those allow it who have said it, in any language. */
describe('what others may say can be told', () => {
  const review = sampleReview({ vantage: 'criteria', seat: 0, patchBytes: 1_000 })

  it('claims, and what refuted them', () => {
    const assumptions = times(12, (at) => ({ id: `a${at}`, claim: said(600), falsifier: said(600) }))
    const given = assumptions.map((one) => ({ ...one, evidence: '', stakes: 'high' as const }))
    const told = checkerPrompt(given, sampleSetting('challenger-assumptions'))
    expect(whole(told)).toContain('a11:')
    const refuted = given.map(({ id, claim }) => ({
      ...{ id, claim, verdict: 'refuted' as const, evidence: `${id} ${said(1_900)}`, file: 'a.js', line: 1 },
    }))
    expect(whole(readerPrompt('interpreter', { refuted, problems: [] }, sampleSetting('interpreter')))).toContain(
      'a11 ',
    )
    const evidences = refuted.map(({ evidence }) => evidence)
    const doubts = section('doubts', 'Doubts', evidences)
    expect(whole(assemble('coder', sampleSetting('coder'), [doubts]))).toContain('a11 ')
  })

  it('where a story stands', () => {
    const block = transitionSection(times(15, () => said(200)))
    expect(assemble('coder', sampleSetting('coder'), [block]).text).toContain(said(200))
  })

  it('a checklist, and criteria', () => {
    const checklist = times(20, (at) => ({ must: true, item: `${at} ${said(590)}` }))
    const outline = { checklist } as unknown as Parameters<typeof checklistSection>[0]
    const brief = { ...review, criteria: times(15, (at) => `criterion ${at} ${said(3_900)}`), checklist: ['x'] }
    const told = reviewerPrompt(brief, { ...sampleSetting('reviewer'), shared: [checklistSection(outline)] })
    expect(whole(told)).toContain('criterion 14')
    expect(whole(told)).toContain('20. must: 19')
    expect(told.text).toContain('ROPEWALK_RESULT')
    expect(told.text).toContain('"checklist"')
  })

  it('files that call for another look', () => {
    const files = times(8, (at) => `${'folder/'.repeat(140)}${at}.js`)
    const further = (['security', 'api', 'ui'] as const).map((vantage) => ({ vantage, files }))
    expect(whole(reviewerPrompt({ ...review, further }, sampleSetting('reviewer')))).toContain('7.js')
  })

  it('as many findings as several reviewers may have', () => {
    const rebuts = times(150, (at) => ({ name: `F${at + 1}`, finding: finding(at) }))
    const told = rebuttalPrompt({ ...review, rebuts }, sampleSetting('reviewer-rebuttal'))
    expect(told.text).toContain('ROPEWALK_RESULT')
    const names = rebuts.map(({ name }) => name)
    const { shape, example } = rebuttalContract(review.commit, names)
    const problems: string[] = []
    shape.read(example, '', problems)
    expect(problems).toEqual([])
  })
})

const finding = (at: number): Finding => ({
  ...{ source: 'review:correctness', rule: 'review', severity: 'blocking', file: 'a.js', line: at + 1 },
  ...{ message: 'It is wrong.', evidence: 'return sum', fingerprint: `f${at}`, fixTarget: 'code' },
})
