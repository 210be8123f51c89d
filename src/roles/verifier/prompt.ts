import type { CommitId } from '../../delivery/ids.ts'
import type { Requirement } from '../../delivery/intent/requirement.ts'
import type { Story } from '../../delivery/plan/plan.ts'
import { answerSection, problemsSection } from '../answer/told.ts'
import { changeSection } from '../prompt/change.ts'
import { fenced } from '../prompt/fence.ts'
import { assemble, type Prompt, type Setting } from '../prompt/prompt.ts'
import { requirementSection } from '../prompt/requirement.ts'
import { section } from '../prompt/sections.ts'
import { bulleted, storySection } from '../prompt/story.ts'
import { mostClaims } from '../reviewer/contract.ts'
import { verdictContract } from './contract.ts'

interface VerifierBrief {
  story: Story
  commit: CommitId
  /** Why the answers before this one were no verdict, the last one last; empty: there were none. */
  silences: string[]
  requirement: Requirement
  /** The whole change, as a patch. */
  patch: string
  tests: string[]
  /** Where it writes its answer. */
  result: string
}

/** What the verifier is told. Nothing that those who wrote the work say about it. */
export function verifierPrompt(brief: VerifierBrief, setting: Setting): Prompt {
  const { story, commit, silences, requirement, patch, tests, result } = brief
  const contract = verdictContract(commit)
  const fields = [
    `- "commit": ${commit}, the commit that you judge. A verdict without it is taken for something you quote.`,
    '- "verdict": "passed" with no findings, or "findings".',
    `- "findings": a list of at most ${mostClaims} objects with "file" (a path in the repository), "line" (a number or null), "message" (what is wrong, and for which criterion) and "evidence" (the whole lines that show it, quoted word for word from that file or from the diff).`,
    'A finding whose evidence is not there word for word is dropped. For example, of another change:',
  ]
  return assemble('verifier', setting, [
    problemsSection(contract, silences.slice(-1), silences.length > 1),
    storySection(story, 'The story'),
    requirementSection(requirement),
    changeSection(patch),
    section('tests', 'Its tests', tests.length === 0 ? [] : [fenced(bulleted(tests), 'files')]),
    answerSection(contract, {
      result,
      end: '. Anything else counts as no answer, and so do two verdicts that differ.',
      fields,
    }),
  ])
}
