import type { Command } from 'commander'
import { type DeliveryOption, naming } from '../choose-delivery.ts'
import type { Act } from '../verb.ts'
import { aboutDelivery, deciding, ofDelivery, printing } from '../verb.ts'
import type { ConfigOptions } from './config.ts'
import type { LogOptions } from './log.ts'
import type { PlanOptions } from './plan.ts'
import type { RegressOptions } from './proofs/regress-request.ts'
import type { RehearseOptions } from './proofs/rehearse.ts'
import type { ReportOptions } from './proofs/report.ts'
import type { VerifyOptions } from './proofs/verify.ts'
import type { ReplayOptions } from './replay/replay.ts'
import type { StatusOptions } from './status.ts'

export function lookVerbs(program: Command, act: Act): void {
  ofDelivery(program.command('status'))
    .description('where a delivery is')
    .option('--all', 'every delivery of this machine, one line each')
    .action(
      act<StatusOptions>(async (cli, [name], options) =>
        (await import('./status.ts')).status(cli, naming(options, name)),
      ),
    )
  aboutDelivery(program.command('why'))
    .description('where a story is, and how it came there')
    .argument('<story>')
    .action(act<DeliveryOption>(async (cli, [story], options) => (await import('./why.ts')).why(cli, story!, options)))
  ofDelivery(program.command('watch'))
    .description('follow a delivery that somebody else drives')
    .action(
      act<DeliveryOption>(async (cli, [name], options) =>
        (await import('./watch.ts')).watch(cli, naming(options, name)),
      ),
    )
  logVerb(program, act)
  aboutDelivery(program.command('diff'))
    .description('what a story changes, or the whole delivery so far')
    .argument('[story]')
    .action(act<DeliveryOption>(async (cli, [story], options) => (await import('./diff.ts')).diff(cli, story, options)))
  ofDelivery(program.command('cost'))
    .description('what was spent, by story, role, agent and model')
    .action(
      act<DeliveryOption>(async (cli, [name], options) => (await import('./cost.ts')).cost(cli, naming(options, name))),
    )
  aboutDelivery(program.command('prompt'))
    .description('what a role is told, word for word, and why each part of it is there')
    .argument('<role>', 'such as coder, planner, reviewer')
    .argument('[story]')
    .action(
      act<DeliveryOption>(async (cli, [role, story], options) =>
        (await import('./prompt.ts')).prompt(cli, [role!, story], options),
      ),
    )
  proofVerbs(program, act)
  rehearseVerb(program, act)
  printing(program.command('agents'))
    .description('every agent: installed, signed in, usable or why not, and its role')
    .action(act(async (cli) => (await import('./agents.ts')).agents(cli)))
  deciding(program.command('plan'))
    .description('show the plan, or give a changed one')
    .option('--export', 'write it as YAML')
    .option('--set <path>', 'take this plan: as a whole before work has begun, story by story afterwards')
    .action(act<PlanOptions>(async (cli, _, options) => (await import('./plan.ts')).plan(cli, options)))
  printing(program.command('config'))
    .description('every setting, its value and where it comes from')
    .option('--diff', 'only what is not the default')
    .option('--schema', 'the JSON Schema of ropewalk.yaml')
    .action(act<ConfigOptions>(async (cli, _, options) => (await import('./config.ts')).config(cli, options)))
}

function proofVerbs(program: Command, act: Act): void {
  printing(program.command('report'))
    .description('what a delivery brought, for whoever asked for it')
    .argument('[delivery]', 'its id, or the beginning of it (default: the newest open one here)')
    .option('--html', 'one page that stands alone, instead of Markdown')
    .option('--internal', 'also attempts, findings, the full timeline and the cost by role')
    .option('-o, --output <file>', 'write it there')
    .action(
      act<ReportOptions>(async (cli, [name], options) =>
        (await import('./proofs/report.ts')).report(cli, name, options),
      ),
    )
  printing(program.command('verify'))
    .description('whether commits carry a proof that holds: exit code 0 proven, 2 without a proof, 1 broken')
    .argument('<commit | range>', 'such as HEAD or main~5..main')
    .option('--signed', 'a signature by somebody you know must be there')
    .option('--signers <file>', "whose signatures count (default: git's gpg.ssh.allowedSignersFile)")
    .option('--rerun', 'run the recorded commands again, in a clean place')
    .action(
      act<VerifyOptions>(async (cli, [revision], options) =>
        (await import('./proofs/verify.ts')).verify(cli, revision!, options),
      ),
    )
  printing(program.command('regress'))
    .description(
      'with which story a check became red, and whether reverting it helps: exit code 0 nothing is red, 2 red',
    )
    .argument('[range]', 'where to look, such as main~20..main (default: all of the target)')
    .option('--since <commit>', 'only what came after it')
    .option('--check <name>', 'this check (default: the first one that is red)')
    .option('--run <command>', 'a command of your own, such as a test that shows it')
    .action(
      act<RegressOptions>(async (cli, [range], options) =>
        (await import('./proofs/regress.ts')).regress(cli, range, options),
      ),
    )
}

function rehearseVerb(program: Command, act: Act): void {
  printing(program.command('rehearse'))
    .description('how much of the work that is here would have been stopped, by which judge, and what would help')
    .argument('[range]', 'which commits, such as v1.0..main (default: the last 200 of the target)')
    .option('--last <count>', 'so many of the newest that are no merges (default: 200)')
    .option('--run', 'on a sample of those that change code or tests also the judges that run something')
    .option('--sample <count>', 'how many of them, with --run (default: 20)')
    .action(
      act<RehearseOptions>(async (cli, [range], options) =>
        (await import('./proofs/rehearse.ts')).rehearse(cli, range, options),
      ),
    )
}

function logVerb(program: Command, act: Act): void {
  ofDelivery(program.command('log'))
    .description('what is on record, newest last')
    .option('--type <types...>', 'only events of these types')
    .option('--story <story>', 'only events of this story')
    .option('--limit <count>', 'so many of the newest', '50')
    .option('--follow', 'go on as more come in')
    .option('--verify', 'check the hash chain instead')
    .action(act<LogOptions>(async (cli, [name], options) => (await import('./log.ts')).log(cli, naming(options, name))))
  ofDelivery(program.command('replay'))
    .description('walk through a delivery event by event, with what was true after each')
    .option('--at <number>', 'only where it was after this event')
    .action(
      act<ReplayOptions>(async (cli, [name], options) =>
        (await import('./replay/replay.ts')).replay(cli, naming(options, name)),
      ),
    )
}
