// Every verb: its words, and where it is carried out. A verb is loaded when it is first used.
import type { Command } from 'commander'
import { courseDecision, decision } from './answer/decision.ts'
import type { Act } from './cli.ts'

const printing = (command: Command): Command => command.option('--json', 'print JSON')

const aboutDelivery = (command: Command): Command =>
  printing(command).option(
    '-d, --delivery <id>',
    'the id of a delivery, or the beginning of it (default: the newest open one of this repository)',
  )

/** For a verb that needs nothing else, so that its id may simply follow. */
const ofDelivery = (command: Command): Command =>
  aboutDelivery(command).argument('[delivery]', 'the same as --delivery')

const deciding = (command: Command): Command =>
  aboutDelivery(command).option('--resume', 'then continue the delivery here, unless another process drives it')

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
    .option('--unattended', 'nobody is there to answer: a question makes the story fail instead')
    .option('--again', 'start it even if the same requirement is being delivered already')
    .option('--detach', 'continue in the background')
    .option('--dry-run', 'show what would be done, and create nothing')
    .action(act(async () => (await import('./deliver/run.ts')).runVerb))
  printing(program.command('estimate'))
    .description('estimate what a requirement will take, before any work begins')
    .argument('[requirement]', 'what you want, in quotes; - reads it from standard input')
    .option('-f, --file <path>', 'read the requirement from a file')
    .option('--plan <path>', 'estimate this plan, without a model')
    .option('--quick', 'estimate from the wording alone, without a model')
    .option('--rate <price>', 'what an hour of a person costs')
    .option('--save', 'keep the plan as a delivery that waits for your approval')
    .option('--target <branch>', 'the branch that the work would be merged to')
    .action(act(async () => (await import('./deliver/estimate.ts')).estimateVerb))
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
    .action(act(async () => (await import('./deliver/review.ts')).reviewVerb))
  aboutDelivery(program.command('resume'))
    .description('continue a delivery that was interrupted, paused or stopped, or that waits')
    .argument('[delivery]', 'the same as --delivery')
    .option('--max-usd <amount>', 'the most that the whole delivery may cost from now on')
    .option('--repin', 'use the settings as they are now')
    .option('--attended', 'you are there now: ask instead of failing')
    .option('--unattended', 'nobody is there any more: a question makes the story fail instead')
    .option('--stay', 'keep waiting while only a human can help')
    .option('--detach', 'continue in the background')
    .action(act(async () => (await import('./deliver/resume.ts')).resumeVerb))
  ofDelivery(program.command('land'))
    .description('merge proven work to the target branch after it had to wait')
    .action(act(async () => courseDecision(() => ({ kind: 'land' }))))
}

export function lookVerbs(program: Command, act: Act): void {
  ofDelivery(program.command('status'))
    .description('show what is happening in a delivery')
    .option('--all', 'every delivery of this machine, one line each')
    .action(act(async () => (await import('./look/status.ts')).statusVerb))
  aboutDelivery(program.command('why'))
    .description('show the state of a story, and how it got there')
    .argument('<story>')
    .action(act(async () => (await import('./look/why.ts')).whyVerb))
  ofDelivery(program.command('watch'))
    .description('follow a delivery that another process drives')
    .action(act(async () => (await import('./look/watch.ts')).watchVerb))
  ofDelivery(program.command('log'))
    .description('list the recorded events, the newest last')
    .option('--type <types...>', 'only events of these types')
    .option('--story <story>', 'only events of this story')
    .option('--limit <count>', 'show the newest <count>', '50')
    .option('--follow', 'keep printing new events')
    .option('--verify', 'check the hash chain instead')
    .action(act(async () => (await import('./look/log.ts')).logVerb))
  ofDelivery(program.command('replay'))
    .description('step through a delivery event by event')
    .option('--at <number>', 'only show the state after this event')
    .action(act(async () => (await import('./look/replay.ts')).replayVerb))
  aboutDelivery(program.command('diff'))
    .description('show what a story changes, or the whole delivery so far')
    .argument('[story]')
    .action(act(async () => (await import('./look/diff.ts')).diffVerb))
  ofDelivery(program.command('cost'))
    .description('show what was spent, by story, role, agent and model')
    .action(act(async () => (await import('./look/cost.ts')).costVerb))
  aboutDelivery(program.command('prompt'))
    .description('show what an agent is told, word for word, and why each part is there')
    .argument('<role>', 'such as coder, planner, reviewer')
    .argument('[story]')
    .action(act(async () => (await import('./look/prompt.ts')).promptVerb))
  proofVerbs(program, act)
  printing(program.command('agents'))
    .description('list the agents: installed, signed in, usable or why not, and their roles')
    .action(act(async () => (await import('./look/agents.ts')).agentsVerb))
  deciding(program.command('plan'))
    .description('show the plan, or replace it')
    .option('--export', 'print it as YAML')
    .option('--set <path>', 'use this plan: as a whole before work has begun, story by story afterwards')
    .action(act(async () => (await import('./look/plan.ts')).planVerb))
  printing(program.command('config'))
    .description('list every setting, its value and where it comes from')
    .option('--diff', 'only those that differ from the default')
    .option('--schema', 'print the JSON Schema of ropewalk.yaml')
    .action(act(async () => (await import('./look/config.ts')).configVerb))
}

function proofVerbs(program: Command, act: Act): void {
  printing(program.command('report'))
    .description('write a report on a delivery for whoever asked for it')
    .argument('[delivery]', 'its id, or the beginning of it (default: the newest open one of this repository)')
    .option('--html', 'one self-contained page instead of Markdown')
    .option('--internal', 'add attempts, findings, the full timeline and the cost by role')
    .option('-o, --output <file>', 'write it to this file')
    .action(act(async () => (await import('./proofs/report.ts')).reportVerb))
  printing(program.command('verify'))
    .description('check that commits carry a valid proof: exit code 0 proven, 2 without a proof, 1 broken')
    .argument('<commit | range>', 'such as HEAD or main~5..main')
    .option('--signed', 'require a signature by somebody you know')
    .option('--signers <file>', "whose signatures count (default: git's gpg.ssh.allowedSignersFile)")
    .option('--rerun', 'run the recorded commands again, in a clean checkout')
    .action(act(async () => (await import('./proofs/verify.ts')).verifyVerb))
  printing(program.command('regress'))
    .description('find the story that broke a check, and try to revert it: exit code 0 nothing is red, 2 red')
    .argument('[range]', 'where to look, such as main~20..main (default: all of the target)')
    .option('--since <commit>', 'look only at what came after this commit')
    .option('--check <name>', 'run this check (default: the first one that is red)')
    .option('--run <command>', 'run a command of your own, such as a test that shows the fault')
    .action(act(async () => (await import('./proofs/regress.ts')).regressVerb))
  printing(program.command('rehearse'))
    .description('show which existing commits would have been stopped, by which judge, and what would help')
    .argument('[range]', 'which commits, such as v1.0..main (default: the last 200 of the target)')
    .option('--last <count>', 'look at the newest <count> commits that are not merges (default: 200)')
    .option('--run', 'also run checks and tests on a sample of the commits that change code or tests')
    .option('--sample <count>', 'the size of the sample, with --run (default: 20)')
    .action(act(async () => (await import('./proofs/rehearse.ts')).rehearseVerb))
}

type Reason = { because: string }

const oneWaiting = 'a question or a story; you can leave it out when only one waits'

export function answerVerbs(program: Command, act: Act): void {
  deciding(program.command('approve'))
    .description('say yes to the plan, or to a story that waits for your approval')
    .argument('[question]', oneWaiting)
    .action(act(async () => decision(([question]) => ({ kind: 'approve', question }))))
  deciding(program.command('reject'))
    .description('say no, and why')
    .argument('[question]', oneWaiting)
    .requiredOption('--because <reason>', 'required; whoever does the work again is told')
    .action(act(async () => decision<Reason>(([question], { because }) => ({ kind: 'reject', question, because }))))
  printing(program.command('inbox'))
    .description('list the questions of all deliveries that wait for you')
    .option('--ask', 'ask me each of them here')
    .option('--form', 'print a YAML file to fill in')
    .option('--answer <file>', 'record the answers of such a file')
    .option('--resume', 'then continue the deliveries that no process drives')
    .action(act(async () => (await import('./answer/inbox.ts')).inboxVerb))
  deciding(program.command('answer'))
    .description('answer an open question')
    .argument('<question>', 'its id, as `ropewalk inbox` shows it')
    .argument('<option>', 'the number or the name of one of its options; free text if it has none')
    .argument('[text]', 'more to say with it, in quotes')
    .action(
      act(async () =>
        decision(([question, option, text = '']) => ({ kind: 'answer', question: question!, option: option!, text })),
      ),
    )
  deciding(program.command('tell'))
    .description('say something to the agent that works on a story, or to the next one')
    .argument('<story>')
    .argument('<text>', 'in quotes')
    .action(act(async () => decision(([story, text]) => ({ kind: 'tell', story: story!, text: text! }))))
  deciding(program.command('waive'))
    .description('accept a finding of the inspection, the verifier or a reviewer as it is')
    .argument('<story>')
    .argument('<finding>', 'its fingerprint, or the beginning of it; `ropewalk why <story>` shows it')
    .requiredOption('--because <reason>', 'required; it stays on record')
    .action(
      act(async () =>
        decision<Reason>(([story, finding], { because }) => ({
          kind: 'waive',
          story: story!,
          finding: finding!,
          because,
        })),
      ),
    )
}

export function manageVerbs(program: Command, act: Act): void {
  ofDelivery(program.command('pause'))
    .description('start nothing more until the delivery is resumed')
    .option('--now', 'also end what is running')
    .action(act(async () => courseDecision<{ now?: boolean }>(({ now }) => ({ kind: 'pause', now: now === true }))))
  ofDelivery(program.command('stop'))
    .description('end a delivery; what is merged stays, and unfinished work is kept')
    .option('--because <reason>', 'stays on record')
    .option('--now', 'end its processes at once, without waiting for its driver')
    .option('--all', 'end every open delivery of this machine at once')
    .action(act(async () => (await import('./manage/stop.ts')).stopVerb))
  deciding(program.command('retry'))
    .description('give a story another set of attempts')
    .argument('<story>')
    .option('--advice <text>', 'the coder is told this')
    .action(
      act(async () =>
        decision<{ advice?: string }>(([story], { advice = '' }) => ({ kind: 'retry', story: story!, advice })),
      ),
    )
  deciding(program.command('skip'))
    .description('leave a story out, and the stories that depend on it')
    .argument('<story>')
    .requiredOption('--because <reason>', 'required; it stays on record')
    .action(act(async () => decision<Reason>(([story], { because }) => ({ kind: 'skip', story: story!, because }))))
  machineVerbs(program, act)
  travelVerbs(program, act)
}

function machineVerbs(program: Command, act: Act): void {
  program
    .command('demo')
    .description('see a whole delivery in a small repository of its own, without a model')
    .option('--kill', 'kill it in the middle, then resume it')
    .action(act(async () => (await import('./demo/demo.ts')).demoVerb))
  printing(program.command('init'))
    .description('write a commented ropewalk.yaml for this repository')
    .option('--force', 'replace the existing file')
    .action(act(async () => (await import('./manage/init.ts')).initVerb))
  printing(program.command('learn'))
    .description('learn about this repository, for the prompts of later deliveries')
    .option('--model', 'also let an agent read it')
    .option('--only <pass>', 'one pass only: static, history or model')
    .option('--force', 'learn again even if nothing has changed')
    .option('--show', 'only show what was learned')
    .action(act(async () => (await import('./manage/learn.ts')).learnVerb))
  printing(program.command('doctor'))
    .description('check that everything a delivery needs is there')
    .action(act(async () => (await import('./look/agents.ts')).doctorVerb))
  printing(program.command('gc'))
    .description('show what takes up space on this machine, and free what is unused')
    .option('--yes', 'free it; workspaces are archived first')
    .option('--dry-run', 'only show it, even with --yes')
    .option('--older-than <age>', 'only what has been unused for this long, such as 7d')
    .option('--all', 'also caches and workspaces, however fresh')
    .option('--transcripts', 'also what agents said')
    .option('--sessions', "also the agents' own homes, once no delivery is open")
    .option('--archives', 'also archived work, of which there is no other copy')
    .action(act(async () => (await import('./manage/gc.ts')).gcVerb))
  ofDelivery(program.command('unlock'))
    .description('release a delivery whose driver is gone')
    .option('--force', 'even if its lease has not expired')
    .option('--salvage', 'repair a damaged log: keep its intact part, and the damaged file beside it')
    .action(act(async () => (await import('./manage/unlock.ts')).unlockVerb))
}

function travelVerbs(program: Command, act: Act): void {
  printing(program.command('export'))
    .description('print a delivery as JSON lines')
    .argument('[delivery]', 'its id, or the beginning of it (default: the newest open one of this repository)')
    .option('--bundle <file>', 'also write its commits to this file')
    .action(act(async () => (await import('./manage/travel.ts')).exportVerb))
  printing(program.command('import'))
    .description('add an exported delivery to this log, to look at it')
    .argument('<file>')
    .option('--bundle <file>', 'also import its commits, into our own clone of this repository')
    .action(act(async () => (await import('./manage/travel.ts')).importVerb))
  printing(program.command('adopt'))
    .description('continue an imported delivery here with the settings of this repository; first shows what would run')
    .argument('<delivery>', 'its id, or the beginning of it')
    .option('--bundle <file>', 'its commits, if they were not imported')
    .option('--yes', 'do not ask')
    .action(act(async () => (await import('./manage/travel.ts')).adoptVerb))
}
