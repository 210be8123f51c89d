import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Lesson, Remembered } from '../../../src/ports/memory.ts'
import { git } from '../../contract/user-repository.ts'
import { write } from '../../empty-repository.ts'
import { exits } from '../binary.ts'
import { story, Yard } from '../yard.ts'

const commit = (repo: string, files: Record<string, string>, message: string): void => {
  write(repo, files)
  git(repo, 'add', '--', ...Object.keys(files))
  git(repo, 'commit', '-q', '-m', message)
}

describe('learn', () => {
  it('tells what files and commits say, keeps it, and learns anew only what has changed', async () => {
    const yard = new Yard({ files: { 'src/b.ts': 'export const b = 1\n', 'AGENTS.md': 'Be kind.\n' } })
    expect(exits(await yard.ropewalk('learn', '--show'), 0).stdout).toMatch(/Nothing has been learned/)
    const said = exits(await yard.ropewalk('learn'), 0).stdout
    expect(said).toMatch(/From the files.*just learned/)
    expect(said).toMatch(/languages: shell \(2 files\); TypeScript \(1 file\)/)
    expect(said).toMatch(/rules in: AGENTS\.md/)
    expect(said).toMatch(/From the commits/)
    expect((await yard.json<Lesson>('learn')).anew).toEqual([])
    expect((await yard.json<Lesson>('learn', '--force', '--only', 'static')).anew).toEqual(['static'])
    await yard.userActs((repo) => commit(repo, { 'src/a.txt': 'beta\n' }, 'Say beta'))
    // No file came or went: only the commits say something else now.
    expect((await yard.json<Lesson>('learn')).anew).toEqual(['history'])
    expect((await yard.json<Remembered>('learn', '--show')).passes.history?.facts[0]?.text).toMatch(/2 commits/)
  })

  it('is kept up to date by deliveries, and reaches their coder', async () => {
    const yard = new Yard()
    exits(await yard.ropewalk('learn'), 0)
    await yard.userActs((repo) => commit(repo, { 'src/c.py': 'c = 1\n' }, 'Add c'))
    exits(await yard.runPlan([story('one')], '--gates', 'auto'), 0)
    expect((await yard.json<Remembered>('learn', '--show')).passes.static?.facts[0]?.text).toMatch(/Python \(1 file\)/)
    expect(yard.said('coder', 'one', '1-1')).toMatch(/Python \(1 file\)/)
  })

  it('keeps no secret, whoever has read it', async () => {
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
    const files = Object.fromEntries([1, 2, 3, 4, 5].map((at) => [`${secret}/${at}.js`, `export const a = ${at}\n`]))
    const agent = `printf '{"facts": [{"about": "tests", "text": "they need ${secret}"}], "usd": 0}' > "$ROPEWALK_RESULT"`
    const yard = new Yard({ agent })
    await yard.userActs((repo) => {
      for (const [path, text] of Object.entries(files)) commit(repo, { [path]: text }, `Add ${path}`)
    })
    const lesson = await yard.json<Lesson>('learn', '--model')
    expect(lesson.remembered.passes.model?.facts).toHaveLength(1)
    expect(JSON.stringify([lesson, await yard.json('learn', '--show')])).not.toContain(secret)
    for (const file of readdirSync(join(yard.home, 'memory')))
      expect(readFileSync(join(yard.home, 'memory', file), 'utf8')).not.toContain(secret)
  })

  it('lets an agent read the repository, once, and leaves nothing of it behind', async () => {
    const agent = `
[ "$ROPEWALK_ROLE" = learner ] || exit 1
echo '{"facts": [{"about": "alpha", "text": "src/a.txt must say alpha"}], "usd": 0.25}' > "$ROPEWALK_RESULT"`
    const yard = new Yard({ agent })
    const lesson = await yard.json<Lesson>('learn', '--model')
    expect(lesson.anew).toEqual(['static', 'history', 'model'])
    expect(lesson.remembered.passes.model?.facts).toEqual([{ about: 'alpha', text: 'src/a.txt must say alpha' }])
    expect(yard.said('learner', '', '1-1')).toMatch(/languages|layout/)
    // The beginning of the id suffices, and no list has it.
    expect(await yard.json('cost', '--delivery', 'learn.')).toMatchObject({ usd: 0.25, turns: 1 })
    expect(exits(await yard.ropewalk('status', '--all'), 0).stdout).toMatch(/There are no deliveries yet/)
    expect((await yard.json<Lesson>('learn', '--model')).anew).toEqual([])
    for (const kind of ['places', 'results', 'workspaces', 'pulses'])
      expect(existsSync(join(yard.home, kind)) ? readdirSync(join(yard.home, kind)) : []).toEqual([])
  })

  it('asks nobody when what it may cost does not fit under the ceiling of the day', async () => {
    const agent = `[ "$ROPEWALK_ROLE" = learner ] || exit 1\necho '{"facts": [], "usd": 0.25}' > "$ROPEWALK_RESULT"`
    const agents = { mine: { driver: 'command', command: ['./agent.sh'], reserveUsd: 0.3 } }
    const yard = new Yard({ agent, config: { agents, ceilings: { usdPerDay: 0.5 } } })
    exits(await yard.ropewalk('learn', '--model'), 0)
    const { stderr } = exits(await yard.ropewalk('learn', '--model', '--force'), 1)
    expect(stderr).toMatch(/no agent is asked, because a ceiling is reached: 0\.5 USD/)
    expect(readFileSync(join(yard.person, 'turns'), 'utf8').split('\n')).toHaveLength(2)
  })

  it('says when the agent has nothing to say, and keeps what the files said', async () => {
    const yard = new Yard({ agent: 'echo "I have read it and like it."' })
    expect(exits(await yard.ropewalk('learn', '--model'), 1).stderr).toMatch(/mine has said nothing that can be used/)
    expect(Object.keys((await yard.json<Remembered>('learn', '--show')).passes)).toEqual(['static', 'history'])
  })

  it('refuses what makes no sense', async () => {
    const yard = new Yard()
    expect(exits(await yard.ropewalk('learn', '--only', 'statik'), 1).stderr).toMatch(/did you mean static/)
    expect(exits(await yard.ropewalk('learn', '--show', '--model'), 1).stderr).toMatch(
      /--show and --(?:model|only) cannot be used together/,
    )
    const outside = await yard.start(['learn'], { cwd: yard.person }).done
    expect(exits(outside, 1).stderr).toMatch(/not.*git repository|no git repository/i)
    expect(readFileSync(join(yard.repo, 'README.md'), 'utf8')).toBe('# Yard\n')
  })
})
