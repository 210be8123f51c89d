import type { Command } from 'commander'
import { naming } from '../choose-delivery.ts'
import type { DemoOptions } from '../demo/demo.ts'
import type { Act } from '../verb.ts'
import { deciding, ofDelivery, printing } from '../verb.ts'
import type { AdoptOptions } from './adopt.ts'
import type { ExportOptions } from './export.ts'
import type { GcOptions } from './gc.ts'
import type { ImportOptions } from './import.ts'
import type { InitOptions } from './init.ts'
import type { LearnOptions } from './learn.ts'
import type { PauseOptions } from './pause.ts'
import type { RetryOptions } from './retry.ts'
import type { SkipOptions } from './skip.ts'
import type { StopOptions } from './stop.ts'
import type { UnlockOptions } from './unlock.ts'

export function manageVerbs(program: Command, act: Act): void {
  courseVerbs(program, act)
  machineVerbs(program, act)
  travelVerbs(program, act)
}

function courseVerbs(program: Command, act: Act): void {
  ofDelivery(program.command('pause'))
    .description('begin nothing more until resumed')
    .option('--now', 'end what is running, too')
    .action(
      act<PauseOptions>(async (cli, [name], options) => (await import('./pause.ts')).pause(cli, naming(options, name))),
    )
  ofDelivery(program.command('stop'))
    .description('end a delivery; what is merged stays, what was done is kept')
    .option('--because <reason>', 'stays on record')
    .option('--now', 'end its processes here and now, without waiting for its driver')
    .option('--all', 'every open delivery of this machine, now')
    .action(
      act<StopOptions>(async (cli, [name], options) => (await import('./stop.ts')).stop(cli, naming(options, name))),
    )
  deciding(program.command('retry'))
    .description('give a story another set of attempts')
    .argument('<story>')
    .option('--advice <text>', 'goes to the coder')
    .action(
      act<RetryOptions>(async (cli, [story], options) => (await import('./retry.ts')).retry(cli, story!, options)),
    )
  deciding(program.command('skip'))
    .description('leave a story out, with what depends on it')
    .argument('<story>')
    .requiredOption('--because <reason>', 'needed; stays on record')
    .action(act<SkipOptions>(async (cli, [story], options) => (await import('./skip.ts')).skip(cli, story!, options)))
}

function machineVerbs(program: Command, act: Act): void {
  program
    .command('demo')
    .description('see it work in a small repository of its own, without a model')
    .option('--kill', 'kill it in the middle and resume')
    .action(act<DemoOptions>(async (cli, _, options) => (await import('../demo/demo.ts')).demo(cli, options)))
  printing(program.command('init'))
    .description('write a commented ropewalk.yaml for this repository')
    .option('--force', 'write over the one that is there')
    .action(act<InitOptions>(async (cli, _, options) => (await import('./init.ts')).init(cli, options)))
  printing(program.command('learn'))
    .description('learn about this repository, for the prompts of later deliveries')
    .option('--model', 'let an agent read it, too')
    .option('--only <pass>', 'one pass alone: static, history or model')
    .option('--force', 'although nothing has changed since')
    .option('--show', 'only show what was learned')
    .action(act<LearnOptions>(async (cli, _, options) => (await import('./learn.ts')).learn(cli, options)))
  printing(program.command('doctor'))
    .description('check that everything is there that a delivery needs')
    .action(act(async (cli) => (await import('./doctor.ts')).doctor(cli)))
  printing(program.command('gc'))
    .description('show what takes room on this machine, and free what nobody uses')
    .option('--yes', 'free it; workspaces are archived first')
    .option('--dry-run', 'only show, whatever else is said')
    .option('--older-than <age>', 'only what was not used for so long, such as 7d')
    .option('--all', 'also what is kept to be fast, however fresh')
    .option('--transcripts', 'also what agents said')
    .option('--sessions', "also the agents' own homes, once no delivery is open")
    .option('--archives', 'also archived work: it is nowhere else')
    .action(act<GcOptions>(async (cli, _, options) => (await import('./gc.ts')).gc(cli, options)))
  ofDelivery(program.command('unlock'))
    .description('take a delivery from a driver that is gone')
    .option('--force', 'although its lease has not lapsed')
    .option('--salvage', 'make a damaged log usable: keep its intact part, and the damaged file beside it')
    .action(
      act<UnlockOptions>(async (cli, [name], options) =>
        (await import('./unlock.ts')).unlock(cli, naming(options, name)),
      ),
    )
}

function travelVerbs(program: Command, act: Act): void {
  printing(program.command('export'))
    .description('print a delivery as JSON lines')
    .argument('[delivery]', 'its id, or the beginning of it')
    .option('--bundle <file>', 'write its commits there, for whoever imports it')
    .action(
      act<ExportOptions>(async (cli, [name], options) =>
        (await import('./export.ts')).exportDelivery(cli, name, options),
      ),
    )
  printing(program.command('import'))
    .description('take an exported delivery into this log, to be looked at')
    .argument('<file>')
    .option('--bundle <file>', 'also its commits, into our own clone of the repository here')
    .action(
      act<ImportOptions>(async (cli, [file], options) =>
        (await import('./import.ts')).importDelivery(cli, file!, options),
      ),
    )
  printing(program.command('adopt'))
    .description(
      'go on with an imported delivery here: shows what would run, and takes the settings of this repository',
    )
    .argument('<delivery>', 'its id, or the beginning of it')
    .option('--bundle <file>', 'its commits, where they were not imported')
    .option('--yes', 'do not ask')
    .action(act<AdoptOptions>(async (cli, [name], options) => (await import('./adopt.ts')).adopt(cli, name!, options)))
}
