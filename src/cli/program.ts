import { Command, CommanderError } from 'commander'
import type { Desk } from '../desk/desk.ts'
import type { Notice, Visitor } from '../desk/world.ts'
import { listening } from '../std/running.ts'
import { exitCodes } from './ending.ts'
import { dim, yellow } from './show/line.ts'
import { openRedraw, openScreen, type Redraw, type Screen } from './show/screen.ts'
import type { Cli, CliVerb } from './verb.ts'

/** What main gives the command line. */
export interface House extends Pick<Cli, 'version' | 'home' | 'examples'> {
  desk(visitor: Omit<Visitor, 'user'>): Desk
}

/** Every verb, in the order of the help. A verb is loaded when it is used, and all of them when they are listed. */
const verbs: Record<string, Record<string, () => Promise<CliVerb>>> = {
  'Deliver:': {
    run: async () => (await import('./deliver/run.ts')).runVerb,
    estimate: async () => (await import('./deliver/estimate.ts')).estimateVerb,
    review: async () => (await import('./deliver/review.ts')).reviewVerb,
    resume: async () => (await import('./deliver/run.ts')).resumeVerb,
    land: async () => (await import('./answer/decision.ts')).landVerb,
  },
  'Look:': {
    status: async () => (await import('./look/delivery.ts')).statusVerb,
    why: async () => (await import('./look/story.ts')).whyVerb,
    watch: async () => (await import('./look/delivery.ts')).watchVerb,
    log: async () => (await import('./look/log.ts')).logVerb,
    replay: async () => (await import('./look/log.ts')).replayVerb,
    diff: async () => (await import('./look/story.ts')).diffVerb,
    cost: async () => (await import('./look/delivery.ts')).costVerb,
    prompt: async () => (await import('./look/story.ts')).promptVerb,
    report: async () => (await import('./proofs/report.ts')).reportVerb,
    verify: async () => (await import('./proofs/verify.ts')).verifyVerb,
    regress: async () => (await import('./proofs/regress.ts')).regressVerb,
    rehearse: async () => (await import('./proofs/rehearse.ts')).rehearseVerb,
    agents: async () => (await import('./look/settings.ts')).agentsVerb,
    plan: async () => (await import('./look/delivery.ts')).planVerb,
    config: async () => (await import('./look/settings.ts')).configVerb,
  },
  'Answer:': {
    approve: async () => (await import('./answer/decision.ts')).approveVerb,
    reject: async () => (await import('./answer/decision.ts')).rejectVerb,
    inbox: async () => (await import('./answer/inbox.ts')).inboxVerb,
    answer: async () => (await import('./answer/decision.ts')).answerVerb,
    tell: async () => (await import('./answer/decision.ts')).tellVerb,
    waive: async () => (await import('./answer/decision.ts')).waiveVerb,
  },
  'Manage:': {
    pause: async () => (await import('./answer/decision.ts')).pauseVerb,
    stop: async () => (await import('./answer/decision.ts')).stopVerb,
    retry: async () => (await import('./answer/decision.ts')).retryVerb,
    skip: async () => (await import('./answer/decision.ts')).skipVerb,
    demo: async () => (await import('./manage/demo.ts')).demoVerb,
    init: async () => (await import('./look/settings.ts')).initVerb,
    learn: async () => (await import('./manage/learn.ts')).learnVerb,
    doctor: async () => (await import('./look/settings.ts')).doctorVerb,
    gc: async () => (await import('./manage/gc.ts')).gcVerb,
    unlock: async () => (await import('./manage/travel.ts')).unlockVerb,
    export: async () => (await import('./manage/travel.ts')).exportVerb,
    import: async () => (await import('./manage/travel.ts')).importVerb,
    adopt: async () => (await import('./manage/travel.ts')).adoptVerb,
  },
}

type Act = (verb: CliVerb, command: Command) => Promise<void>

/** Parses a command line, carries out its verb, and returns the exit code. */
export async function runProgram(args: string[], house: House): Promise<number> {
  let code: number = exitCodes.done
  const act: Act = async (verb, command) => {
    const { version, home, examples } = house
    const { given, options } = givenTo(verb, command)
    const screen = openScreen({ ...process, env: process.env }, options.json === true)
    const cwd = process.cwd()
    const desk = house.desk({ folder: cwd, attended: screen.interactive, hear: hearing(screen) })
    // Before a delivery begins and when only looking, there is no log to note a hiccup in.
    const ended = await listening(
      (text) => screen.warn([yellow('note: '), text]),
      () => verb.act({ desk, screen, cwd, home, version, examples }, given, options),
    )
    code = ended ?? exitCodes.done
  }
  try {
    await (await commands(house.version, act, args[0])).parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? exitCodes.done : exitCodes.error
  }
}

/** A flag that was not given is false. An id that follows the verb is given as if by the option. */
function givenTo(verb: CliVerb, command: Command): { given: string[]; options: Record<string, unknown> } {
  const flags = command.options.filter((option) => option.isBoolean()).map((option) => [option.attributeName(), false])
  const options = { ...Object.fromEntries(flags), ...command.opts() }
  if (!Object.hasOwn(verb.takes, '[delivery]')) return { given: command.args, options }
  const [delivery = options.delivery] = command.args
  return { given: [], options: { ...options, delivery } }
}

/** What is worth a word before the answer is there. What is being done is drawn over what was. */
function hearing(screen: Screen): (notice: Notice) => void {
  let redraw: Redraw | null = null
  return (notice) => {
    if (notice.kind === 'warning') screen.warn([yellow('warning: '), notice.text])
    else if (notice.kind === 'note') screen.warn(dim(notice.text))
    else if (screen.redraws) {
      redraw ??= openRedraw(screen)
      redraw.draw(notice.text === null ? [] : [dim(notice.text)])
    }
  }
}

/** The one verb that is named; else all of them. */
export async function commands(version: string, act: Act, named?: string): Promise<Command> {
  const program = new Command('ropewalk')
    .description('A requirement in plain language becomes proven, merged commits.')
    .version(version)
    .exitOverride()
    .configureHelp({ minWidthToWrap: 20 })
    .showHelpAfterError('Run `ropewalk help` or `ropewalk help <verb>` to see what there is.')
    .addHelpText('after', closingHelp)
  const isOne = Object.values(verbs).some((group) => Object.hasOwn(group, named ?? ''))
  for (const [heading, group] of Object.entries(verbs)) {
    program.commandsGroup(heading)
    for (const [name, load] of Object.entries(group))
      if (!isOne || name === named) addVerb(program.command(name), await load(), act)
  }
  program.helpCommand('help [verb]', 'what there is, or one verb in full')
  return program
}

function addVerb(command: Command, verb: CliVerb, act: Act): void {
  command.description(verb.says)
  for (const [name, text] of Object.entries(verb.takes)) command.argument(name, text)
  if (verb.json) command.option('--json', 'print JSON')
  for (const [flags, text] of Object.entries(verb.options)) command.option(flags, text)
  for (const [flags, text] of Object.entries(verb.required)) command.requiredOption(flags, text)
  if (verb.misused !== null) command.showHelpAfterError(verb.misused)
  command.action(async () => await act(verb, command))
}

const closingHelp = `
Words: the line is the delivery's own branch, where proven stories come
together. Landing moves your branch to it. A witness is a run that shows that
new tests fail without the change. A vantage is what a reviewer looks for, such
as security.

Exit codes: 0 done (also with concerns), 1 error, 2 blocked or waiting for you,
3 stopped by the operator, 4 budget exhausted.`
