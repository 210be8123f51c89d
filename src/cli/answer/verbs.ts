import type { Command } from 'commander'
import type { DecidingOptions } from '../decide.ts'
import type { Act } from '../verb.ts'
import { deciding, printing } from '../verb.ts'
import type { AnswerOptions } from './answer.ts'
import type { InboxOptions } from './inbox/inbox.ts'
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
    .requiredOption('--because <reason>', 'needed; goes to whoever does it again')
    .action(
      act<RejectOptions>(async (cli, [name], options) => (await import('./reject.ts')).reject(cli, name, options)),
    )
  questionVerbs(program, act)
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
    .description('let a finding of the inspection, the verifier or a reviewer stand')
    .argument('<story>')
    .argument('<finding>', 'its fingerprint, or the beginning of it; `ropewalk why <story>` shows it')
    .requiredOption('--because <reason>', 'needed; stays on record')
    .action(
      act<WaiveOptions>(async (cli, [story, fingerprint], options) =>
        (await import('./waive.ts')).waive(cli, [story!, fingerprint!], options),
      ),
    )
}

function questionVerbs(program: Command, act: Act): void {
  printing(program.command('inbox'))
    .description('every question of every delivery that waits for a human')
    .option('--ask', 'put them to me here, one after the other')
    .option('--form', 'write a file to fill in, as YAML')
    .option('--answer <file>', 'record the answers of such a file')
    .option('--resume', 'then go on with what nobody drives')
    .action(act<InboxOptions>(async (cli, _, options) => (await import('./inbox/inbox.ts')).inbox(cli, options)))
  deciding(program.command('answer'))
    .description('answer an open question')
    .argument('<question>', 'its id, as `ropewalk inbox` shows it')
    .argument('<option>', 'the number or the name of one of its options; free text where it has none')
    .argument('[text]', 'more words to go with it, in quotes')
    .option('--text <text>', 'the same')
    .action(
      act<AnswerOptions>(async (cli, [question, option, text], options) =>
        (await import('./answer.ts')).answer(cli, [question!, option!, text], options),
      ),
    )
}
