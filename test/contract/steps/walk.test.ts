import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { git } from '../user-repository.ts'
import { check, openYard } from './yard.ts'

const adds = (path: string, text: string) => [{ write: { [path]: text } }, { say: `wrote ${path}` }]

describe('a story on its way to the target', () => {
  it('is coded, tidied, judged, composed, advanced and landed', async () => {
    const yard = await openYard({
      files: { 'a.txt': 'a\n' },
      stories: [{ id: 'first', title: 'Add the b file', description: 'It is needed.', criteria: ['b.txt is there'] }],
      script: [{ do: adds('b.txt', 'b   \n') }],
      policy: { checks: [check({ run: 'test -f b.txt', fix: "printf 'b\\n' > b.txt; printf x > a.txt" })] },
    })
    const coded = await yard.perform('CodeStory')
    expect(coded.ending).toMatchObject({ type: 'StoryCoded', story: 'first', summary: 'wrote b.txt' })
    expect(coded.interims.map((event) => event.type)).toEqual(['AgentStarted', 'SessionOpened', 'TurnSpent'])
    const tidied = await yard.perform('TidyStory')
    expect(tidied.ending).toMatchObject({ type: 'StoryTidied', changed: ['b.txt'] })
    expect((await yard.perform('Judge')).ending).toMatchObject({ judge: 'inspection', verdict: { status: 'passed' } })
    expect((await yard.perform('Judge')).ending).toMatchObject({
      judge: 'check:test',
      verdict: { status: 'passed', proof: { reused: false, command: 'test -f b.txt' } },
    })
    const composed = await yard.perform('ComposeLine')
    expect(composed.ending.type).toBe('LineComposed')
    expect((await yard.perform('AdvanceLine')).ending.type).toBe('LineAdvanced')
    expect((await yard.perform('Land')).ending.type).toBe('Landed')
    expect(readFileSync(join(yard.user, 'b.txt'), 'utf8')).toBe('b\n')
    expect(readFileSync(join(yard.user, 'a.txt'), 'utf8')).toBe('a\n')
    const message = git(yard.user, 'log', '-1', '--format=%B')
    expect(message).toMatch(/^Add the b file\n\nIt is needed\.\n\n- b\.txt is there\n\nRopewalk-Delivery: d1\n/)
    expect(message).toMatch(/Ropewalk-Chain: [0-9a-f]{64}/)
    expect((await yard.perform('CompleteDelivery')).ending).toMatchObject({ result: 'done-with-concerns' })
    expect(readdirSync(join(yard.home, 'places', 'd1'))).toEqual([])
  })

  it('is composed to the same commit when it is done again', async () => {
    const yard = await openYard({
      files: { 'a.txt': 'a\n' },
      stories: [{}],
      script: [{ do: adds('b.txt', 'b\n') }],
      policy: { judges: [], checks: [] },
    })
    await yard.perform('CodeStory')
    const lost = await yard.perform('ComposeLine', { lose: true })
    const again = await yard.perform('ComposeLine', { try: 2 })
    expect(again.ending).toEqual(lost.ending)
  })

  it('goes back with a finding per file when it does not fit onto the line', async () => {
    const yard = await openYard({
      files: { 'a.txt': 'a\n' },
      stories: [
        { id: 'one', title: 'Say one' },
        { id: 'two', title: 'Say two' },
      ],
      script: [
        { story: 'one', do: adds('a.txt', 'one\n') },
        { story: 'two', do: adds('a.txt', 'two\n') },
      ],
      policy: { judges: [], checks: [] },
    })
    await yard.perform('CodeStory')
    await yard.perform('CodeStory')
    await yard.perform('ComposeLine')
    await yard.perform('AdvanceLine')
    const { ending } = await yard.perform('ComposeLine')
    expect(ending).toMatchObject({ type: 'ComposeConflicted', findings: [{ file: 'a.txt', rule: 'conflict' }] })
    expect(ending.type === 'ComposeConflicted' && ending.findings[0]?.message).toContain('"Say one"')
    const conflicted = ending.type === 'ComposeConflicted' ? ending.conflicted : ''
    const kept = await yard.repository.refs('refs/ropewalk/d1/conflicted/two')
    expect(kept.map(({ commit }) => commit)).toEqual([conflicted])
  })

  it('is not landed over uncommitted changes, and the message names them', async () => {
    const yard = await openYard({
      files: { 'a.txt': 'a\n' },
      stories: [{}],
      script: [{ do: adds('a.txt', 'b\n') }],
      policy: { judges: [], checks: [] },
    })
    for (const verb of ['CodeStory', 'ComposeLine', 'AdvanceLine'] as const) await yard.perform(verb)
    git(yard.user, 'rm', '-q', '--cached', 'a.txt')
    const { ending } = await yard.perform('Land')
    expect(ending).toMatchObject({ type: 'LandingRefused', reason: 'dirty' })
    expect(ending.type === 'LandingRefused' && ending.message).toMatch(
      /a\.txt.*commit or stash them, then ropewalk land/,
    )
  })

  it('is not landed where a filter fails, and the message names the file', async () => {
    const yard = await openYard({
      files: { 'a.txt': 'a\n', '.gitattributes': '*.psd filter=lfs\n' },
      stories: [{}],
      script: [{ do: adds('x.psd', 'b\n') }],
      policy: { judges: [], checks: [] },
    })
    for (const verb of ['CodeStory', 'ComposeLine', 'AdvanceLine'] as const) await yard.perform(verb)
    for (const [key, value] of Object.entries({ smudge: 'false', required: 'true' }))
      git(yard.user, 'config', `filter.lfs.${key}`, value)
    const { ending } = await yard.perform('Land')
    expect(ending).toMatchObject({ type: 'LandingRefused', reason: 'dirty' })
    expect(ending.type === 'LandingRefused' && ending.message).toMatch(
      /cannot write .*x\.psd: smudge filter lfs failed.*then ropewalk land/,
    )
  })

  it.each([
    ['has landed when it was killed after that', true],
    ['is proven anew when it was killed before that', false],
  ])('%s, although other settings were pinned since', async (_name, landed) => {
    const yard = await openYard({
      files: { 'a.txt': 'a\n' },
      stories: [{}],
      script: [{ do: adds('b.txt', 'b\n') }],
      policy: { judges: ['check:test'] },
    })
    for (const verb of ['CodeStory', 'Judge', 'ComposeLine', 'AdvanceLine'] as const) await yard.perform(verb)
    const step = await yard.due('Land')
    if (landed) await yard.perform('Land', { lose: true })
    else await yard.tell({ type: 'StepStarted', step, try: 1, worker: 'w', mark: 'm', reserveUsd: 0 })
    const lock = join(yard.user, '.git/index.lock')
    if (step.verb === 'Land') writeFileSync(lock, `ropewalk lands main ${step.from} ${step.to}\n`)
    await yard.tell({ type: 'PolicyPinned', policy: (await yard.state()).policy!, hash: 'p2' })
    const { ending } = await yard.perform('Land', { try: 2 })
    expect(ending.type).toBe(landed ? 'Landed' : 'LandingRefused')
    expect(existsSync(lock)).toBe(false)
    if (!landed) for (const verb of ['ComposeLine', 'Judge', 'AdvanceLine', 'Land'] as const) await yard.perform(verb)
    expect((await yard.state()).stories.s1?.control.status).toBe('merged')
    expect(git(yard.user, 'show', 'main:b.txt')).toBe('b')
  })

  it('puts the line where the log says, whoever moved its ref', async () => {
    const yard = await openYard({
      files: { 'a.txt': 'a\n' },
      stories: [{}],
      script: [{ do: adds('b.txt', 'b\n') }],
      policy: { judges: [], checks: [] },
    })
    await yard.perform('CodeStory')
    const { ending } = await yard.perform('ComposeLine')
    const { line } = await yard.state()
    await yard.repository.moveRef('refs/ropewalk/d1/line', null, line.target)
    await yard.perform('AdvanceLine')
    const composed = ending.type === 'LineComposed' ? ending.commit : ''
    expect(await yard.repository.readRef('refs/ropewalk/d1/line')).toBe(composed)
  })
})
