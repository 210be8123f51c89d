import { cpSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { git } from '../contract/user-repository.ts'
import { exits } from './binary.ts'
import { Yard } from './yard.ts'

async function yardWith(example: string): Promise<Yard> {
  const yard = new Yard({ config: null })
  await yard.userActs((repo) => {
    cpSync(resolve('examples', example), repo, { recursive: true })
    git(repo, 'add', '-A')
    git(repo, 'commit', '-qm', 'Take the example')
  })
  return yard
}

describe('the examples', () => {
  it('a shell script delivers as an agent', async () => {
    const yard = await yardWith('command-agent')
    expect(exits(await yard.ropewalk('doctor'), 0).stdout).toMatch(/agent mine/)
    const run = await yard.ropewalk('run', 'Every source file names its licence', '--plan', 'plan.yaml')
    expect(exits(run, 0).stdout).toMatch(/Merged to main: 1 story/)
    expect(readFileSync(join(yard.repo, 'src/shout.js'), 'utf8')).toMatch(/^\/\/ SPDX-License-Identifier: MIT\nexport/)
  })

  it('a script drafts the plan, is wrong, is sent back by the check, and delivers', async () => {
    const yard = await yardWith('scripted-agent')
    const run = await yard.ropewalk('run', 'Greet people by their name')
    expect(exits(run, 0).stdout).toMatch(/nmae is not defined[\s\S]*Merged to main: 1 story/)
    expect((await yard.status()).stories[0]).toMatchObject({ story: 'greet', attempt: 1, round: 2 })
    expect(readFileSync(join(yard.repo, 'src/greet.js'), 'utf8')).toMatch(/Hello \$\{name\}/)
  })

  it('are what the guides print', () => {
    for (const [guide, file] of [
      ['command-agent', 'my-agent'],
      ['scripted-agent', 'agent-script.yaml'],
    ] as const)
      expect(readFileSync(`docs/guides/${guide}.md`, 'utf8')).toContain(
        readFileSync(`examples/${guide}/${file}`, 'utf8'),
      )
  })
})
