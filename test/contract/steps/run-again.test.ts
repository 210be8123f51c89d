import { describe, expect, it } from 'vitest'
import { openUserRepository } from '../../../src/adapters/git/user-repository.ts'
import { statementOf } from '../../../src/proof/statement.ts'
import { textsIn } from '../../../src/settings/problem.ts'
import type { VerifyWorld } from '../../../src/steps/verify/record.ts'
import { runAgain } from '../../../src/steps/verify/rerun.ts'
import { proven } from '../../samples/statement.ts'
import { git, makeUserRepository } from '../user-repository.ts'

const settings = '# never: npm run wipe\nsetup: rm -rf /tmp/x && npm ci\nchecks:\n  test: npm test\n'

/** What an unsigned note would have run here, of a delivery that no log knows. */
async function open() {
  const repo = makeUserRepository({ 'ropewalk.yaml': settings })
  const ran: string[] = []
  const world = {
    repository: await openUserRepository(repo, `${repo}/no-clone`),
    textsIn: async (text: string) => textsIn(text),
    rerun: async (commit: string) => {
      ran.push(commit)
      return { problems: [], remarks: [] }
    },
  } as unknown as VerifyWorld
  const idOf = (revision: string) => git(repo, 'rev-parse', revision)
  const again = async (command: string, provenBy: string) => {
    const ids = { commit: idOf('main'), tree: idOf('main^{tree}') }
    const by = { commit: idOf(provenBy), tree: idOf(`${provenBy}^{tree}`) }
    const checks = [{ ...proven.checks[0]!, command }]
    const statement = statementOf({ ...ids, checks, proof: { ...proven.proof, provenBy: by } })
    return await runAgain(world, { statement, vouched: false, pinned: null, signal: new AbortController().signal })
  }
  return { repo, again, ran, idOf }
}

describe('a note that nobody vouches for', () => {
  it('has run what the settings have as a value, and no part of it', async () => {
    const { again, ran, idOf } = await open()
    for (const command of ['npm run wipe', 'rm -rf /', 'npm', ''])
      expect((await again(command, 'main')).problems).toMatchObject([
        expect.stringContaining('nobody here vouches for'),
      ])
    expect(ran).toEqual([])
    expect((await again('npm test', 'main')).problems).toEqual([])
    expect(ran).toEqual([idOf('main')])
  })

  it('has no commit run that is only proposed', async () => {
    const { repo, again, ran, idOf } = await open()
    git(repo, 'checkout', '-q', '-b', 'proposed')
    git(repo, 'commit', '-q', '--allow-empty', '-m', 'Proposed')
    git(repo, 'checkout', '-q', 'main')
    expect((await again('npm test', 'proposed')).problems.join()).toMatch(/part of HEAD/)
    expect(ran).toEqual([])
    git(repo, 'checkout', '-q', 'proposed')
    expect((await again('npm test', 'proposed')).problems).toEqual([])
    expect(ran).toEqual([idOf('proposed')])
  })
})
