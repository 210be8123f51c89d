import type { Command } from 'commander'
import type { DecidingOptions } from '../decide.ts'
import type { Act } from '../verb.ts'
import { deciding } from '../verb.ts'
import type { AnswerOptions } from './answer.ts'
import type { RejectOptions } from './reject.ts'
import type { WaiveOptions } from './waive.ts'

export function answerVerbs(program: Command, act: Act): void {
  deciding(program.command('approve'))
    .description('say yes to the plan, or to a story that waits at its gate')
    .argument('[question]', 'a question or a story; not needed when only one waits')
    .action(
      act<DecidingOptions>(async (cli, [name], options) => (await import('./approve.ts')).approve(cli, name, options)),
    )
  deciding(program.command('reject'))
    .description('say no, and why')
    .argument('[question]', 'a question or a story; not needed when only one waits')
    .requiredOption('--because <reason>', 'goes to whoever does it again')
    .action(
      act<RejectOptions>(async (cli, [name], options) => (await import('./reject.ts')).reject(cli, name, options)),
    )
  deciding(program.command('answer'))
    .description('answer an open question')
    .argument('<question>', 'its id, as `ropewalk status` shows it')
    .argument('<option>', 'one of its options; free text where it has none')
    .option('--text <text>', 'more words to go with it')
    .action(
      act<AnswerOptions>(async (cli, [question, option], options) =>
        (await import('./answer.ts')).answer(cli, [question!, option!], options),
      ),
    )
  deciding(program.command('tell'))
    .description('a word to the agent that works on a story, or to the next one')
    .argument('<story>')
    .argument('<text>', 'in quotes')
    .action(
      act<DecidingOptions>(async (cli, [story, text], options) =>
        (await import('./tell.ts')).tell(cli, [story!, text!], options),
      ),
    )
  deciding(program.command('waive'))
    .description('let a finding of the inspection stand')
    .argument('<story>')
    .argument('<finding>', 'its fingerprint, or the beginning of it; `ropewalk why <story>` shows it')
    .requiredOption('--because <reason>', 'stays on record')
    .action(
      act<WaiveOptions>(async (cli, [story, fingerprint], options) =>
        (await import('./waive.ts')).waive(cli, [story!, fingerprint!], options),
      ),
    )
}
