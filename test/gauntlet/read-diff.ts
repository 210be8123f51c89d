// Cases in which only the diff is judged: the agent writes into the repository itself, and what it leaves is read.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'
import { loadCodeReader } from '../../src/adapters/code-ast-grep/code-reader.ts'
import { openRepositories } from '../../src/adapters/git/repositories.ts'
import { scanSecrets } from '../../src/adapters/secrets-secretlint/scan.ts'
import { blocks, type Finding } from '../../src/delivery/judging/finding.ts'
import { ownText } from '../../src/roles/coder/prompt.ts'
import { readFindings } from '../../src/steps/check/inspection.ts'
import { check } from '../contract/steps/yard.ts'
import type { Case } from './case.ts'
import { openYard, type Yard } from './yard.ts'

const code = loadCodeReader()
const world = { code: () => code, secrets: async () => scanSecrets }

export async function readDiff(one: Case): Promise<void> {
  const yard = openYard(one)
  try {
    const findings = (await findingsIn(yard, one)).filter(blocks)
    const told = findings.map(({ file, message }) => `${file}: ${message}`).join('\n')
    if (one.expect === 'passes') expect(told).toBe('')
    else expect(told).toMatch(one.names ?? /never/)
  } finally {
    yard.remove()
  }
}

async function findingsIn(yard: Yard, one: Case): Promise<Finding[]> {
  const commit = workOf(yard)
  const repositories = openRepositories({ home: join(yard.folder, 'home') })
  const repository = await repositories.open(await repositories.find(yard.repo))
  await repository.fetchTarget(yard.target)
  const { settings = {}, stories = [] } = one
  const named = Object.entries(settings.checks ?? {}).map(([name, it]) => check({ name, ...(it as object) }))
  const checks = [check({ run: settings.check ?? 'node --test' }), ...named]
  const story = { title: 'Do multiply', description: 'As told.', criteria: [], files: [], mayChange: [] }
  const changes = await repository.diff(yard.base, commit)
  const { findings } = await readFindings(
    { world, repository },
    {
      ...{ changes, base: yard.base, commit },
      story: { ...story, mayBeEmpty: false, ...stories[0] },
      policy: { checks, setup: null, protect: settings.protect ?? [] },
    },
  )
  return findings
}

/** All that it left, also what it committed or staged itself, as a workspace is harvested. */
function workOf({ folder, repo, git }: Yard): string {
  const env = { PATH: process.env.PATH, HOME: join(folder, 'user'), GIT_CONFIG_NOSYSTEM: '1' }
  execFileSync('sh', [join(folder, 'agent.sh')], { cwd: repo, env, input: ownText.join('\n'), stdio: 'pipe' })
  git('add', '-A')
  git('commit', '-q', '--allow-empty', '-m', 'Work')
  return git('rev-parse', 'HEAD')
}
