import type { Command } from 'commander'
import type { Act } from '../verb.ts'
import { deciding, printing } from '../verb.ts'
import { type DecidingOptions, decision } from './decision.ts'
import type { InboxOptions } from './inbox.ts'

type Reasoned = DecidingOptions & { because: string }

export function answerVerbs(program: Command, act: Act): void {
  deciding(program.command('approve'))
    .description('say yes to the plan, or to a story that waits for your approval')
    .argument('[question]', 'a question or a story; you can leave it out when only one waits')
    .action(act(async () => decision<DecidingOptions>(([question]) => ({ kind: 'approve', question }))))
  deciding(program.command('reject'))
    .description('say no, and why')
    .argument('[question]', 'a question or a story; you can leave it out when only one waits')
    .requiredOption('--because <reason>', 'required; whoever does the work again is told')
    .action(act(async () => decision<Reasoned>(([question], { because }) => ({ kind: 'reject', question, because }))))
  questionVerbs(program, act)
  deciding(program.command('tell'))
    .description('say something to the agent that works on a story, or to the next one')
    .argument('<story>')
    .argument('<text>', 'in quotes')
    .action(
      act(async () => decision<DecidingOptions>(([story, text]) => ({ kind: 'tell', story: story!, text: text! }))),
    )
  deciding(program.command('waive'))
    .description('accept a finding of the inspection, the verifier or a reviewer as it is')
    .argument('<story>')
    .argument('<finding>', 'its fingerprint, or the beginning of it; `ropewalk why <story>` shows it')
    .requiredOption('--because <reason>', 'required; it stays on record')
    .action(
      act(async () =>
        decision<Reasoned>(([story, finding], { because }) => ({
          ...{ kind: 'waive', story: story!, finding: finding!, because },
        })),
      ),
    )
}

function questionVerbs(program: Command, act: Act): void {
  printing(program.command('inbox'))
    .description('list the questions of all deliveries that wait for you')
    .option('--ask', 'ask me each of them here')
    .option('--form', 'print a YAML file to fill in')
    .option('--answer <file>', 'record the answers of such a file')
    .option('--resume', 'then continue the deliveries that no process drives')
    .action(act<InboxOptions>(async () => (await import('./inbox.ts')).inbox))
  deciding(program.command('answer'))
    .description('answer an open question')
    .argument('<question>', 'its id, as `ropewalk inbox` shows it')
    .argument('<option>', 'the number or the name of one of its options; free text if it has none')
    .argument('[text]', 'more to say with it, in quotes')
    .action(
      act(async () =>
        decision<DecidingOptions>(([question, option, text]) => ({
          ...{ kind: 'answer', question: question!, option: option!, text: text ?? '' },
        })),
      ),
    )
}
