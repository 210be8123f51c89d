import { Command, CommanderError } from 'commander'
import type { Notice } from '../desk/world.ts'
import { listening } from '../std/running/telling.ts'
import type { Act, CliVerb, House } from './cli.ts'
import { exitCodes } from './exit-code.ts'
import { dim, yellow } from './show/line.ts'
import { openRedraw, type Redraw } from './show/redraw.ts'
import { openScreen, type Screen } from './show/screen.ts'
import { answerVerbs, deliverVerbs, lookVerbs, manageVerbs } from './verbs.ts'

/** Parses a command line, carries out its verb, and returns the exit code. */
export async function runProgram(args: string[], house: House): Promise<number> {
  let code: number = exitCodes.done
  const act: Act =
    <Options>(load: () => Promise<CliVerb<Options>>) =>
    async (...given) => {
      // Commander passes the arguments, then the options, then the command.
      const options = given.at(-2) as Options & { json?: boolean }
      const screen = openScreen({ ...process, env: process.env }, options.json === true)
      const { version, home } = house
      const cwd = process.cwd()
      const desk = house.desk({ folder: cwd, attended: screen.interactive, hear: hearing(screen) })
      const verb = await load()
      // Before a delivery begins and when only looking, there is no log to note a hiccup in.
      code = await listening(
        (text) => screen.warn([yellow('note: '), text]),
        () => verb({ desk, screen, cwd, home, version }, given.slice(0, -2) as string[], options),
      )
    }
  try {
    await commands(house.version, act).parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? exitCodes.done : exitCodes.error
  }
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

export function commands(version: string, act: Act): Command {
  const program = new Command('ropewalk')
    .description('A requirement in plain language becomes proven, merged commits.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('Run `ropewalk help` or `ropewalk help <verb>` to see what there is.')
    .addHelpText('after', exitCodeHelp)
  deliverVerbs(program.commandsGroup('Deliver:'), act)
  lookVerbs(program.commandsGroup('Look:'), act)
  answerVerbs(program.commandsGroup('Answer:'), act)
  manageVerbs(program.commandsGroup('Manage:'), act)
  program.helpCommand('help [verb]', 'what there is, or one verb in full')
  return program
}

const exitCodeHelp = `
Exit codes: 0 done (also with concerns), 1 error, 2 blocked or waiting for a human,
3 stopped by the operator, 4 budget exhausted.`
