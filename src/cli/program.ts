import { Command, CommanderError } from 'commander'
import { listening } from '../std/running/telling.ts'
import { answerVerbs } from './answer/verbs.ts'
import { deliverVerbs } from './deliver/verbs.ts'
import { exitCodes } from './exit-code.ts'
import { lookVerbs } from './look/verbs.ts'
import { manageVerbs } from './manage/verbs.ts'
import { yellow } from './show/line.ts'
import { openScreen } from './show/screen.ts'
import type { Act, Verb } from './verb.ts'
import type { World } from './world.ts'

/** Parses a command line, carries out its verb, and returns the exit code. */
export async function runProgram(args: string[], world: World): Promise<number> {
  let code: number = exitCodes.done
  const act: Act =
    <Options>(verb: Verb<Options>) =>
    async (...given) => {
      // Commander passes the arguments, then the options, then the command.
      const options = given.at(-2) as Options & { json?: boolean }
      const screen = openScreen({ ...process, env: process.env }, options.json === true)
      const cli = { world, screen, cwd: process.cwd() }
      // Before a delivery begins and when only looking, there is no log to note a hiccup in.
      code = await listening(
        (text) => screen.warn([yellow('note: '), text]),
        () => verb(cli, given.slice(0, -2) as string[], options),
      )
    }
  try {
    await commands(world.version, act).parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? exitCodes.done : exitCodes.error
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
