import type { Command } from 'commander'
import { courseDecision } from '../answer/decision.ts'
import type { Act, DeliveryOption } from '../verb.ts'
import { aboutDelivery, ofDelivery, printing } from '../verb.ts'
import type { EstimateOptions } from './estimate.ts'
import type { ResumeOptions } from './resume.ts'
import type { ReviewOptions } from './review.ts'
import type { RunOptions } from './run.ts'

export function deliverVerbs(program: Command, act: Act): void {
  printing(program.command('run'))
    .description('deliver a requirement: plan it, have it coded, prove it, merge it')
    .argument('[requirement]', 'what you want, in quotes; - reads it from standard input')
    .showHelpAfterError('Put the requirement in quotes: ropewalk run "…". `ropewalk help run` lists the options.')
    .option('-f, --file <path>', 'read the requirement from a file')
    .option('--plan <path>', 'use this plan instead of having one drafted')
    .option('--gates <gates>', 'when to ask for your approval: auto, plan or manual')
    .option('--target <branch>', 'the branch that the work is merged to')
    .option('--max-usd <amount>', 'the most that the whole delivery may cost')
    .option('--unattended', 'nobody is there to ask: what would ask fails instead')
    .option('--again', 'start it even if the same requirement is being delivered already')
    .option('--detach', 'continue in the background')
    .option('--dry-run', 'show what would be done, and create nothing')
    .action(act<RunOptions>(async () => (await import('./run.ts')).run))
  printing(program.command('estimate'))
    .description('estimate what a requirement will take, before any work begins')
    .argument('[requirement]', 'what you want, in quotes; - reads it from standard input')
    .option('-f, --file <path>', 'read the requirement from a file')
    .option('--plan <path>', 'estimate this plan, without a model')
    .option('--quick', 'estimate by the words alone, without a model')
    .option('--rate <price>', 'what an hour of a person costs')
    .option('--save', 'keep the plan as a delivery that waits for your approval')
    .option('--target <branch>', 'the branch that the work would be merged to')
    .action(act<EstimateOptions>(async () => (await import('./estimate.ts')).estimate))
  printing(program.command('review'))
    .description('review work that exists already: exit code 0 approved, 2 needs work, 1 no verdict')
    .argument(
      '<branch | range | pr>',
      'a branch, a commit, a range such as main..topic, or the number of a pull request',
    )
    .option('--base <revision>', 'where the work began (default: where it left the target branch)')
    .option('--requirement <text>', 'what the work was meant to do')
    .option('-f, --file <path>', 'read that from a file')
    .option('--criterion <text...>', 'what the work must fulfil, each in quotes')
    .option('--sarif', 'print SARIF, for code hosts and editors')
    .option('-o, --output <file>', 'write JSON or SARIF to this file')
    .action(act<ReviewOptions>(async () => (await import('./review.ts')).review))
  aboutDelivery(program.command('resume'))
    .description('continue a delivery that was interrupted, paused or stopped, or that waits')
    .argument('[delivery]', 'the same as --delivery')
    .option('--max-usd <amount>', 'the most that the whole delivery may cost from now on')
    .option('--repin', 'use the settings as they are now')
    .option('--attended', 'you are there now: ask instead of failing')
    .option('--unattended', 'nobody is there any more: what would ask fails instead')
    .option('--stay', 'keep waiting while only a human can help')
    .option('--detach', 'continue in the background')
    .action(act<ResumeOptions>(async () => (await import('./resume.ts')).resume))
  ofDelivery(program.command('land'))
    .description('merge proven work to the target branch after it had to wait')
    .action(act(async () => courseDecision<DeliveryOption & { resume?: boolean }>(() => ({ kind: 'land' }))))
}
