// What a program may ask to find out whether Ropewalk or the user has started it, and what it hears.
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { check } from '../yard.ts'
import { openConfined } from './rig.ts'

const probes = `pwd; echo "HEAD $(git symbolic-ref HEAD)"; echo "status [$(git status --porcelain)]"
git log --format='log %s' | tail -1
echo "mtime $(stat -c %Y a.txt)"; echo "commit $(git log -1 --format=%ct)"
echo "parent $(tr '\\0' ' ' < /proc/$PPID/cmdline)"; echo "first $(tr '\\0' ' ' < /proc/1/cmdline)"
echo "first environment [$(tr '\\0' '\\n' < /proc/1/environ | grep ROPEWALK)]"
echo "ours [$(env | grep ROPEWALK)]"; echo "CI [$CI]"; echo "TERM [$TERM]"
echo "git [$(grep -ril ropewalk .git | head -3)]"; echo "alternates [$(cat .git/objects/info/alternates)]"
git stash list; git commit -q --allow-empty -m more && echo "commits here"
false`

describe('a check that looks around', () => {
  it('finds what it would find in a run of the user', async () => {
    const checks = [check({ run: probes, parser: 'exit-code' })]
    const yard = await openConfined({}, { checks })
    await yard.perform('CodeStory')
    const { ending } = await yard.perform('Judge')
    const told = JSON.parse(JSON.stringify(ending)).verdict.findings[0].evidence as string
    const said = new Map(told.split('\n').map((line) => [line.split(' ')[0]!, line.split(' ').slice(1).join(' ')]))
    expect(told.split('\n')).toContain(yard.user)
    expect(Object.fromEntries(said)).toMatchObject({
      HEAD: 'refs/heads/main',
      status: '[]',
      mtime: said.get('commit'),
      log: execFileSync('git', ['log', '--reverse', '--format=%s'], { cwd: yard.user, encoding: 'utf8' }).split(
        '\n',
      )[0],
      ours: '[]',
      CI: `[${process.env.CI ?? ''}]`,
      TERM: '[xterm]',
      git: '[]',
      alternates: '[borrowed]',
      commits: 'here',
    })
    expect(told).toMatch(/^parent \/bin\/sh -c "\$0" "\$@"; exit \$\? /m)
    expect(told).toMatch(/^first \/bin\/sh/m)
    expect(told).toContain('first environment []')
    expect(told).not.toMatch(/bwrap|ropewalk-steps/)
  })

  it('gets a report of its own only where it asks for one, and it is read', async () => {
    const report = `printf '<testsuite tests="1"><testcase name="adds"/></testsuite>' > "$ROPEWALK_REPORT"`
    const yard = await openConfined({}, { checks: [check({ run: report, parser: 'auto' })] })
    await yard.perform('CodeStory')
    const { ending } = await yard.perform('Judge')
    expect(ending).toMatchObject({ verdict: { status: 'passed', proof: { counts: { total: 1, passed: 1 } } } })
  })

  it('leaves a fix that commits what it changed, and nothing of the .git', async () => {
    const yard = await openConfined({}, { checks: [check({ fix: 'echo tidied > b.txt', parser: 'exit-code' })] })
    await yard.perform('CodeStory')
    const { ending } = await yard.perform('TidyStory')
    expect(ending).toMatchObject({ type: 'StoryTidied', changed: ['b.txt'] })
    const { commit } = ending as { commit: string }
    expect(await yard.repository.listFiles(commit)).toEqual(['a.txt', 'b.txt'])
  })
})
