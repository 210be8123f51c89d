import type { Command } from 'commander'
import { type DeliveryOption, naming } from '../choose-delivery.ts'
import type { EstimateOptions } from '../estimate/estimate.ts'
import type { ReviewOptions } from '../review/review.ts'
import type { Act } from '../verb.ts'
import { aboutDelivery, ofDelivery, printing } from '../verb.ts'
import type { ResumeOptions } from './resume.ts'
import type { RunOptions } from './run.ts'

export function deliverVerbs(program: Command, act: Act): void {
  printing(program.command('run'))
    .description('deliver a requirement: plan it, have it coded, prove it, merge it')
    .argument('[requirement]', 'what is wanted, in quotes; - reads it from standard input')
    .showHelpAfterError(
      'Put the requirement in quotes: ropewalk run "…". `ropewalk help run` shows what else there is.',
    )
    .option('-f, --file <path>', 'read the requirement from a file')
    .option('--plan <path>', 'use this plan instead of having one drafted')
    .option('--gates <gates>', 'where a human is asked: auto, plan or manual')
    .option('--target <branch>', 'the branch to land on')
    .option('--max-usd <amount>', 'the ceiling for the whole delivery')
    .option('--unattended', 'nobody is there: what gets stuck fails instead of asking')
    .option('--again', 'deliver it although the same is being delivered')
    .option('--detach', 'go on in the background')
    .option('--dry-run', 'show what would be done, create nothing')
    .action(act<RunOptions>(async (cli, [text], options) => (await import('./run.ts')).run(cli, text, options)))
  printing(program.command('estimate'))
    .description('what a requirement is likely to take, before any of it is begun')
    .argument('[requirement]', 'what is wanted, in quotes; - reads it from standard input')
    .option('-f, --file <path>', 'read the requirement from a file')
    .option('--plan <path>', 'of this plan, without a model')
    .option('--quick', 'by its words alone, without a model')
    .option('--rate <price>', 'what an hour of a person costs')
    .option('--save', 'keep the plan as a delivery that waits for a yes')
    .option('--target <branch>', 'the branch to land on')
    .action(
      act<EstimateOptions>(async (cli, [text], options) =>
        (await import('../estimate/estimate.ts')).estimate(cli, text, options),
      ),
    )
  printing(program.command('review'))
    .description('review work that is there already: exit code 0 approved, 2 needs work, 1 no verdict')
    .argument(
      '<branch | range | pr>',
      'a branch, a commit, a range such as main..topic, or the number of a pull request',
    )
    .option('--base <revision>', 'where the work began (default: where it left the target branch)')
    .option('--requirement <text>', 'what it was to do')
    .option('-f, --file <path>', 'the same, from a file')
    .option('--criterion <text...>', 'what it must fulfil, each in quotes')
    .option('--sarif', 'print SARIF, for code hosts and editors')
    .option('-o, --output <file>', 'write JSON or SARIF there')
    .action(
      act<ReviewOptions>(async (cli, [what], options) =>
        (await import('../review/review.ts')).review(cli, what!, options),
      ),
    )
  aboutDelivery(program.command('resume'))
    .description('go on with a delivery that was interrupted, paused, stopped or is waiting')
    .argument('[delivery]', 'its id, or the beginning of it')
    .option('--max-usd <amount>', 'another ceiling for the whole delivery')
    .option('--repin', 'take the settings as they are now')
    .option('--attended', 'you are there now: ask instead of failing or ending')
    .option('--unattended', 'nobody is there any more: what waits for somebody fails instead')
    .option('--stay', 'keep waiting while only a human can help')
    .option('--detach', 'go on in the background')
    .action(
      act<ResumeOptions>(async (cli, [name], options) => (await import('./resume.ts')).resume(cli, name, options)),
    )
  ofDelivery(program.command('land'))
    .description('let a landing go on that had to wait')
    .action(
      act<DeliveryOption>(async (cli, [name], options) => (await import('./land.ts')).land(cli, naming(options, name))),
    )
}
