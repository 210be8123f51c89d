import type { PromptSource } from '../delivery/events.ts'
import type { StoryId } from '../delivery/ids.ts'
import type { Moment } from '../delivery/shared/room.ts'
import type { DeliveryState } from '../delivery/state.ts'

/**
 * What agents of a delivery are told. Throws TerminalError, with a remedy, when there is nothing to be told yet, or when
 * what has to be told does not fit.
 */
export interface Prompts {
  look(request: PromptRequest): Promise<ToldPrompt>
}

export interface PromptRequest {
  state: DeliveryState
  moment: Moment
  /** A role, such as `coder`, one of its prompts, such as `challenger-plan`, or one reviewer, such as `reviewer-security`. */
  wanted: string
  story: StoryId | null
}

export interface ToldPrompt {
  /** `due`: it would be sent now. `sent`: it was, and is not due again. `supposed`: it would be, were it the story's turn. */
  status: 'due' | 'sent' | 'supposed'
  role: string
  story: StoryId | null
  agent: string | null
  text: string
  /** Files beside its workspace that the prompt names. */
  files: { path: string; bytes: number; text: string }[]
  source: PromptSource
  sections: ToldSection[]
  /** What this role is never shown. */
  hidden: string[]
}

/** What is in a prompt, and why. Lengths are known only where it was not sent long ago. */
export interface ToldSection {
  name: string
  title: string
  why: string
  tokens: number | null
  most: number | null
  /** Parts that are only in a file, or left out. */
  left: number
  file: string | null
}
