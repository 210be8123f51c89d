import type { Desk } from '../desk/desk.ts'
import type { Screen } from './show/screen.ts'

/** What each verb has: the desk, where to print, and where the person stands. */
export interface Cli {
  desk: Desk
  screen: Screen
  cwd: string
  home: string
  version: string
  /** The folder of the example repositories. */
  examples: string
}

/** A verb: its words, which make its help, and what carries it out. */
export interface CliVerb {
  says: string
  takes: Record<string, string>
  options: Record<string, string>
  required: Record<string, string>
  /** A verb that starts others has no answer of its own, and so no --json. */
  json: boolean
  /** What is added to the message about wrong arguments. */
  misused: string | null
  /** Gives the exit code; nothing: it is done. */
  act(cli: Cli, given: string[], options: Record<string, unknown>): Promise<number | undefined>
}

type VerbWords<Option extends string, Required extends string> = Pick<CliVerb, 'says'> &
  Partial<Pick<CliVerb, 'takes' | 'json' | 'misused'>> & {
    options?: Record<Option, string>
    required?: Record<Required, string>
  }

/** Declares a verb. Its options are known to the compiler by their flags. */
export function verb<const Option extends string = never, const Required extends string = never>(
  { says, takes = {}, options, required, json = true, misused = null }: VerbWords<Option, Required>,
  act: (cli: Cli, given: string[], options: GivenOptions<Option> & Needed<Required>) => Promise<number | undefined>,
): CliVerb {
  const words = { says, takes, options: options ?? {}, required: required ?? {}, json, misused }
  return { ...words, act: act as CliVerb['act'] }
}

/** What was given, by the flags of an option: `--older-than <age>` is `olderThan`. */
export type GivenOptions<Option extends string> = { [Flag in Option as NameOf<Flag>]: ValueOf<Flag> }
type Needed<Option extends string> = { [Flag in Option as NameOf<Flag>]: string }

type LongOf<Flag extends string> = Flag extends `${string}--${infer Long}` ? Long : never
type NameOf<Flag extends string> = LongOf<Flag> extends `${infer Name} ${string}` ? Camel<Name> : Camel<LongOf<Flag>>
type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name
type ValueOf<Flag extends string> = Flag extends `${string}...>`
  ? string[] | undefined
  : Flag extends `${string}>`
    ? string | undefined
    : boolean

/** The id of a delivery may also follow such a verb without the option: then it is given as if by the option. */
export const deliveryArgument = { '[delivery]': 'the same as --delivery' }

export const deliveryOption = {
  '-d, --delivery <id>':
    'the id of a delivery, or the beginning of it (default: the newest open one of this repository)',
}

export const aStory = { '<story>': '' }

/** For verbs that are about a delivery and need no more. */
export const ofDelivery = { takes: deliveryArgument, options: deliveryOption }
