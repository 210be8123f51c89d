import type { Desk } from '../desk/desk.ts'
import type { Visitor } from '../desk/world.ts'
import type { Screen } from './show/screen.ts'

/** What main gives the command line. */
export interface House {
  version: string
  home: string
  desk(visitor: Omit<Visitor, 'user'>): Desk
}

/** What each verb has: the desk, where to print, and where the person stands. */
export interface Cli {
  desk: Desk
  screen: Screen
  cwd: string
  home: string
  version: string
}

/** Carries out a verb with its arguments and options, and returns the exit code. */
export type CliVerb<Options> = (cli: Cli, given: string[], options: Options) => Promise<number>

/** Makes a commander action of a verb, which is loaded when it is first used. */
export type Act = <Options>(load: () => Promise<CliVerb<Options>>) => (...given: unknown[]) => Promise<void>

export interface DeliveryOption {
  delivery?: string
}

/** Named as an argument or by the option. */
export const nameIn = ([argument]: string[], { delivery }: DeliveryOption): string | undefined => argument ?? delivery
