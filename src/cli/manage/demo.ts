import { spawn, spawnSync } from 'node:child_process'
import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { TerminalError } from '../../ports/errors.ts'
import { bold, dim } from '../show/line.ts'
import { type Cli, verb } from '../verb.ts'

const words = {
  says: 'see a whole delivery in a small repository of its own, without a model',
  json: false,
  options: { '--kill': 'kill it in the middle, then resume it' },
}

/** Delivers a requirement of five stories into a small repository of its own, with agents that play a script. */
export const demoVerb = verb(words, async (cli, _, { kill }) => {
  const { screen } = cli
  const folder = await mkdtemp(join(tmpdir(), 'ropewalk-demo-'))
  const repository = join(folder, 'corner-shop')
  await cp(join(cli.examples, 'demo'), repository, { recursive: true })
  commitAll(repository)
  const ropewalk = binary({ repository, home: join(folder, 'home') })
  screen.print([bold('A small shop'), ` in ${repository}`], dim('Nothing else on this machine is touched.'), '')
  const run = ['run', '--file', 'requirement.md', '--gates', 'auto', '--unattended']
  screen.print([dim('$ ropewalk '), run.join(' ')], '')
  const code = kill ? await killedAndResumed(cli, ropewalk, run) : await ropewalk(run, {})
  if (code !== 0) return code
  screen.print(...closing(folder, repository, kill))
})

function commitAll(path: string): void {
  git(path, 'init', '--quiet', '--initial-branch=main')
  git(path, 'add', '--all')
  const who = ['-c', 'user.name=Demo', '-c', 'user.email=demo@localhost', '-c', 'commit.gpgsign=false']
  git(path, ...who, 'commit', '--quiet', '--message', 'A small shop')
}
function git(cwd: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync('git', args, { cwd, encoding: 'utf8' })
  if (status === 0) return
  throw new TerminalError(
    `git ${args.at(-1)} failed: ${error?.message ?? stderr}`,
    'check that `git --version` is 2.38 or newer',
  )
}

type Ropewalk = (args: string[], extra: Record<string, string>) => Promise<number>

/** The same program again, as a user would start it. */
function binary({ repository, home }: { repository: string; home: string }): Ropewalk {
  return (args, extra) =>
    new Promise((resolve, reject) => {
      const env = { ...process.env, ROPEWALK_HOME: home, ...extra }
      const child = spawn(process.execPath, [process.argv[1]!, ...args], { cwd: repository, env, stdio: 'inherit' })
      child.on('error', reject)
      child.on('exit', (code) => resolve(code ?? killed))
    })
}

const killed = 137

async function killedAndResumed({ screen }: Cli, ropewalk: Ropewalk, run: string[]): Promise<number> {
  const code = await ropewalk(run, { ROPEWALK_CRASH_AT: 'after:LineAdvanced' })
  if (code !== killed)
    throw new TerminalError('the demo was not killed where it should have been', 'run it without --kill')
  screen.print('', [bold('kill -9'), ', in the middle of it: a story is on the line, agents are at work.'], '')
  screen.print([dim('$ ropewalk '), 'resume'], '')
  return await ropewalk(['resume'], {})
}

function closing(folder: string, repository: string, withKill: boolean): string[] {
  return [
    '',
    'What just happened:',
    '  · the requirement was read twice, by itself and with its rivals; the',
    '    readings agree, so nobody had to be asked what is meant',
    '  · a planner split it into five stories; plain code checked the plan,',
    '    and another agent looked for what is wrong with it',
    '  · up to three agents worked at once, each in a workspace of its own;',
    '    receipt waited for what it needs',
    '  · discount said "done" with red tests: Ropewalk ran them itself',
    '    and sent it back with their output',
    '  · tax deleted a test and was caught by the inspection',
    '  · currency-first and shipping were green alone and red together:',
    '    every story is proven again with those before it',
    '  · discount and tax changed the same file: the second was sent back',
    '    to mend the conflict',
    '  · two reviewers looked at each story. One found what no test had seen',
    '    in receipt: it was sorted as true, sent back, and mended with a test',
    '  · main moved once, at the end, to a tree that passed every check',
    ...(withKill
      ? ['  · it was killed with -9 and went on where it was: no outcome twice,', '    no second agent in a workspace']
      : []),
    '',
    'Look at it:',
    `  cd ${repository}`,
    `  export ROPEWALK_HOME=${join(folder, 'home')}`,
    ...aliasLine(process.argv[1]!),
    '  git log --stat            the merged commits',
    '  ropewalk status           where everything is',
    '  ropewalk why receipt      one story, and what it went through',
    '  ropewalk diff tax         what it changed, and what to read first',
    '  ropewalk report           what the delivery brought, for whoever asked',
    '  ropewalk verify main      the proof that the last commit carries',
    '  ropewalk regress          which story it was, if a check is red later on',
    '  ropewalk log --limit 30   the events',
    '  ropewalk log --verify     whether their chain is whole',
    '  ropewalk cost             what it would have cost',
    '  ropewalk review HEAD~1..  what reviewers make of a range, as a delivery of its own',
    `When you are done: rm -r ${folder}`,
  ]
}

/** In a fresh clone, and after `npx`, there is no `ropewalk` to be found on the path. */
export const aliasLine = (program: string): string[] =>
  basename(program) === 'ropewalk' && !program.includes('/node_modules/')
    ? []
    : [`  alias ropewalk="node '${program}'"`]
