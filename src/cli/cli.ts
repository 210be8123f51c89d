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
