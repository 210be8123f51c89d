import type { Requested } from './events.ts'
import type { CommitId, StoryId } from './ids.ts'
import type { Plan, Story } from './plan/plan.ts'
import type { Policy } from './policy.ts'

/** What a person, a trigger or a plugin asks for. */
export type Intent =
  /** Without a plan the planner drafts it. */
  | ({ type: 'RequestDelivery'; policy: Policy; policyHash: string; plan: Plan | null } & Requested)
  | { type: 'GivePlan'; plan: Plan; cause: string }
  | { type: 'AnswerQuestion'; question: string; option: string; text: string; by: string }
  | { type: 'PauseDelivery'; now: boolean; by: string }
  | { type: 'ResumeDelivery'; by: string }
  | { type: 'StopDelivery'; reason: string; by: string }
  | { type: 'TellStory'; story: StoryId; text: string; by: string }
  | { type: 'RetryStory'; story: StoryId; advice: string; by: string }
  | { type: 'SkipStory'; story: StoryId; reason: string; by: string }
  | { type: 'AmendStory'; story: StoryId; changes: Partial<Omit<Story, 'id'>>; by: string }
  | { type: 'WaiveFinding'; story: StoryId; fingerprint: string; because: string; by: string }
  | { type: 'RepinPolicy'; policy: Policy; policyHash: string; by: string }
  | {
      type: 'AdoptDelivery'
      repository: { id: string; path: string }
      /** Where the target is here. */
      target: CommitId
      policy: Policy
      policyHash: string
      by: string
    }

export interface IntentRefusal {
  refused: string
  /** What the person can do instead. */
  remedy: string
}
