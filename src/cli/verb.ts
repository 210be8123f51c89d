import type { Command } from 'commander'
import type { Cli } from './world.ts'

/** Carries out a verb and returns the exit code. */
export type Verb<Options> = (cli: Cli, given: string[], options: Options) => Promise<number>

/** Makes a commander action of a verb. */
export type Act = <Options>(verb: Verb<Options>) => (...given: unknown[]) => Promise<void>

export const printing = (command: Command): Command => command.option('--json', 'print JSON')

export const aboutDelivery = (command: Command): Command =>
  printing(command).option(
    '-d, --delivery <id>',
    'the delivery, or the beginning of its id (default: the newest open one here)',
  )

/** For a verb that needs nothing else, so that its id may simply follow. */
export const ofDelivery = (command: Command): Command =>
  aboutDelivery(command).argument('[delivery]', 'the same as --delivery')

export const deciding = (command: Command): Command =>
  aboutDelivery(command).option('--resume', 'go on here when nobody else drives the delivery')
