import type { Command } from 'commander'
import type { Cli } from './cli.ts'

/** Carries out a verb with its arguments and options, and returns the exit code. */
export type Verb<Options> = (cli: Cli, given: string[], options: Options) => Promise<number>

/** Makes a commander action of a verb, which is loaded when it is first used. */
export type Act = <Options>(load: () => Promise<Verb<Options>>) => (...given: unknown[]) => Promise<void>

export interface DeliveryOption {
  delivery?: string
}

/** Named as an argument or by the option. */
export const nameIn = ([argument]: string[], { delivery }: DeliveryOption): string | undefined => argument ?? delivery

export const printing = (command: Command): Command => command.option('--json', 'print JSON')

export const aboutDelivery = (command: Command): Command =>
  printing(command).option(
    '-d, --delivery <id>',
    'the id of a delivery, or the beginning of it (default: the newest open one of this repository)',
  )

/** For a verb that needs nothing else, so that its id may simply follow. */
export const ofDelivery = (command: Command): Command =>
  aboutDelivery(command).argument('[delivery]', 'the same as --delivery')

export const deciding = (command: Command): Command =>
  aboutDelivery(command).option('--resume', 'then continue the delivery here, unless another process drives it')
