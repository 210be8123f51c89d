import type { Command } from 'commander'
import { courseDecision, type DecidingOptions, decision } from '../answer/decision.ts'
import type { DemoOptions } from '../demo/demo.ts'
import type { Act } from '../verb.ts'
import { deciding, ofDelivery, printing } from '../verb.ts'
import type { GcOptions } from './gc.ts'
import type { InitOptions } from './init.ts'
import type { LearnOptions } from './learn.ts'
import type { StopOptions } from './stop.ts'
import type { AdoptOptions, BundleOptions } from './travel.ts'
import type { UnlockOptions } from './unlock.ts'

export function manageVerbs(program: Command, act: Act): void {
  courseVerbs(program, act)
  machineVerbs(program, act)
  travelVerbs(program, act)
}

function courseVerbs(program: Command, act: Act): void {
  ofDelivery(program.command('pause'))
    .description('start nothing more until the delivery is resumed')
    .option('--now', 'also end what is running')
    .action(
      act(async () =>
        courseDecision<DecidingOptions & { now?: boolean }>(({ now }) => ({ kind: 'pause', now: now === true })),
      ),
    )
  ofDelivery(program.command('stop'))
    .description('end a delivery; what is merged stays, and unfinished work is kept')
    .option('--because <reason>', 'stays on record')
    .option('--now', 'end its processes at once, without waiting for its driver')
    .option('--all', 'end every open delivery of this machine at once')
    .action(act<StopOptions>(async () => (await import('./stop.ts')).stop))
  deciding(program.command('retry'))
    .description('give a story another set of attempts')
    .argument('<story>')
    .option('--advice <text>', 'the coder is told this')
    .action(
      act(async () =>
        decision<DecidingOptions & { advice?: string }>(([story], { advice = '' }) => ({
          ...{ kind: 'retry', story: story!, advice },
        })),
      ),
    )
  deciding(program.command('skip'))
    .description('leave a story out, and the stories that depend on it')
    .argument('<story>')
    .requiredOption('--because <reason>', 'required; it stays on record')
    .action(
      act(async () =>
        decision<DecidingOptions & { because: string }>(([story], { because }) => ({
          ...{ kind: 'skip', story: story!, because },
        })),
      ),
    )
}

function machineVerbs(program: Command, act: Act): void {
  program
    .command('demo')
    .description('see a whole delivery in a small repository of its own, without a model')
    .option('--kill', 'kill it in the middle, then resume it')
    .action(act<DemoOptions>(async () => (await import('../demo/demo.ts')).demo))
  printing(program.command('init'))
    .description('write a commented ropewalk.yaml for this repository')
    .option('--force', 'replace the existing file')
    .action(act<InitOptions>(async () => (await import('./init.ts')).init))
  printing(program.command('learn'))
    .description('learn about this repository, for the prompts of later deliveries')
    .option('--model', 'also let an agent read it')
    .option('--only <pass>', 'one pass only: static, history or model')
    .option('--force', 'learn again even if nothing has changed')
    .option('--show', 'only show what was learned')
    .action(act<LearnOptions>(async () => (await import('./learn.ts')).learn))
  printing(program.command('doctor'))
    .description('check that everything a delivery needs is there')
    .action(act(async () => (await import('./doctor.ts')).doctor))
  printing(program.command('gc'))
    .description('show what takes up space on this machine, and free what is unused')
    .option('--yes', 'free it; workspaces are archived first')
    .option('--dry-run', 'only show it, even with --yes')
    .option('--older-than <age>', 'only what has been unused for this long, such as 7d')
    .option('--all', 'also caches and workspaces, however fresh')
    .option('--transcripts', 'also what agents said')
    .option('--sessions', "also the agents' own homes, once no delivery is open")
    .option('--archives', 'also archived work, of which there is no other copy')
    .action(act<GcOptions>(async () => (await import('./gc.ts')).gc))
  ofDelivery(program.command('unlock'))
    .description('release a delivery whose driver is gone')
    .option('--force', 'even if its lease has not expired')
    .option('--salvage', 'repair a damaged log: keep its intact part, and the damaged file beside it')
    .action(act<UnlockOptions>(async () => (await import('./unlock.ts')).unlock))
}

function travelVerbs(program: Command, act: Act): void {
  printing(program.command('export'))
    .description('print a delivery as JSON lines')
    .argument('[delivery]', 'its id, or the beginning of it (default: the newest open one of this repository)')
    .option('--bundle <file>', 'also write its commits to this file')
    .action(act<BundleOptions>(async () => (await import('./travel.ts')).exportDelivery))
  printing(program.command('import'))
    .description('add an exported delivery to this log, to look at it')
    .argument('<file>')
    .option('--bundle <file>', 'also import its commits, into our own clone of this repository')
    .action(act<BundleOptions>(async () => (await import('./travel.ts')).importDelivery))
  printing(program.command('adopt'))
    .description('continue an imported delivery here with the settings of this repository; first shows what would run')
    .argument('<delivery>', 'its id, or the beginning of it')
    .option('--bundle <file>', 'its commits, if they were not imported')
    .option('--yes', 'do not ask')
    .action(act<AdoptOptions>(async () => (await import('./travel.ts')).adopt))
}
