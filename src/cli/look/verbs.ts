import type { Command } from 'commander'
import type { RegressOptions } from '../proofs/regress.ts'
import type { RehearseOptions } from '../proofs/rehearse.ts'
import type { ReportOptions } from '../proofs/report.ts'
import type { VerifyOptions } from '../proofs/verify.ts'
import type { Act, DeliveryOption } from '../verb.ts'
import { aboutDelivery, deciding, ofDelivery, printing } from '../verb.ts'
import type { ConfigOptions } from './config.ts'
import type { LogOptions } from './log.ts'
import type { PlanOptions } from './plan.ts'
import type { ReplayOptions } from './replay.ts'
import type { StatusOptions } from './status.ts'

export function lookVerbs(program: Command, act: Act): void {
  ofDelivery(program.command('status'))
    .description('show what is happening in a delivery')
    .option('--all', 'every delivery of this machine, one line each')
    .action(act<StatusOptions>(async () => (await import('./status.ts')).status))
  aboutDelivery(program.command('why'))
    .description('show the state of a story, and how it got there')
    .argument('<story>')
    .action(act<DeliveryOption>(async () => (await import('./why.ts')).why))
  ofDelivery(program.command('watch'))
    .description('follow a delivery that another process drives')
    .action(act<DeliveryOption>(async () => (await import('./watch.ts')).watch))
  logVerbs(program, act)
  aboutDelivery(program.command('diff'))
    .description('show what a story changes, or the whole delivery so far')
    .argument('[story]')
    .action(act<DeliveryOption>(async () => (await import('./diff.ts')).diff))
  ofDelivery(program.command('cost'))
    .description('show what was spent, by story, role, agent and model')
    .action(act<DeliveryOption>(async () => (await import('./cost.ts')).cost))
  aboutDelivery(program.command('prompt'))
    .description('show what an agent is told, word for word, and why each part is there')
    .argument('<role>', 'such as coder, planner, reviewer')
    .argument('[story]')
    .action(act<DeliveryOption>(async () => (await import('./prompt.ts')).prompt))
  proofVerbs(program, act)
  printing(program.command('agents'))
    .description('list the agents: installed, signed in, usable or why not, and their roles')
    .action(act(async () => (await import('./agents.ts')).agents))
  deciding(program.command('plan'))
    .description('show the plan, or replace it')
    .option('--export', 'print it as YAML')
    .option('--set <path>', 'use this plan: as a whole before work has begun, story by story afterwards')
    .action(act<PlanOptions>(async () => (await import('./plan.ts')).plan))
  printing(program.command('config'))
    .description('list every setting, its value and where it comes from')
    .option('--diff', 'only those that differ from the default')
    .option('--schema', 'print the JSON Schema of ropewalk.yaml')
    .action(act<ConfigOptions>(async () => (await import('./config.ts')).config))
}

function proofVerbs(program: Command, act: Act): void {
  printing(program.command('report'))
    .description('write a report on a delivery for whoever asked for it')
    .argument('[delivery]', 'its id, or the beginning of it (default: the newest open one of this repository)')
    .option('--html', 'one self-contained page instead of Markdown')
    .option('--internal', 'add attempts, findings, the full timeline and the cost by role')
    .option('-o, --output <file>', 'write it to this file')
    .action(act<ReportOptions>(async () => (await import('../proofs/report.ts')).report))
  printing(program.command('verify'))
    .description('check that commits carry a valid proof: exit code 0 proven, 2 without a proof, 1 broken')
    .argument('<commit | range>', 'such as HEAD or main~5..main')
    .option('--signed', 'require a signature by somebody you know')
    .option('--signers <file>', "whose signatures count (default: git's gpg.ssh.allowedSignersFile)")
    .option('--rerun', 'run the recorded commands again, in a clean place')
    .action(act<VerifyOptions>(async () => (await import('../proofs/verify.ts')).verify))
  printing(program.command('regress'))
    .description('find the story that broke a check, and try to revert it: exit code 0 nothing is red, 2 red')
    .argument('[range]', 'where to look, such as main~20..main (default: all of the target)')
    .option('--since <commit>', 'look only at what came after this commit')
    .option('--check <name>', 'run this check (default: the first one that is red)')
    .option('--run <command>', 'run a command of your own, such as a test that shows the fault')
    .action(act<RegressOptions>(async () => (await import('../proofs/regress.ts')).regress))
  printing(program.command('rehearse'))
    .description('show which existing commits would have been stopped, by which judge, and what would help')
    .argument('[range]', 'which commits, such as v1.0..main (default: the last 200 of the target)')
    .option('--last <count>', 'look at the newest <count> commits that are not merges (default: 200)')
    .option('--run', 'also run checks and tests on a sample of the commits that change code or tests')
    .option('--sample <count>', 'the size of the sample, with --run (default: 20)')
    .action(act<RehearseOptions>(async () => (await import('../proofs/rehearse.ts')).rehearse))
}

function logVerbs(program: Command, act: Act): void {
  ofDelivery(program.command('log'))
    .description('list the recorded events, the newest last')
    .option('--type <types...>', 'only events of these types')
    .option('--story <story>', 'only events of this story')
    .option('--limit <count>', 'show the newest <count>', '50')
    .option('--follow', 'keep printing new events')
    .option('--verify', 'check the hash chain instead')
    .action(act<LogOptions>(async () => (await import('./log.ts')).log))
  ofDelivery(program.command('replay'))
    .description('step through a delivery event by event')
    .option('--at <number>', 'only show the state after this event')
    .action(act<ReplayOptions>(async () => (await import('./replay.ts')).replay))
}
