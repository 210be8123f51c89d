/** How far a role is kept apart from what others have said. */
export type Isolation = 'full' | 'task' | 'blind' | 'custom'

/** What a prompt was made of, so that it can be made again. */
export interface PromptSource {
  /** `coder`, `challenger-plan`: one of the prompts that there are. */
  prompt: string
  /** The path of the repository's own text for it, at the commit that the delivery began with; null: ours. */
  override: string | null
  /** Of that text. */
  hash: string
  isolation: Isolation
  /** The sections that were shown, in order. */
  sections: string[]
}
