import type { CheckedAssumption } from '../../delivery/intent/interpretation.ts'
import type { Requirement } from '../../delivery/intent/requirement.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { nonceSection, problemsSection } from '../answer/told.ts'
import { fenced } from '../prompt/fence.ts'
import { assemble, type Prompt, type Setting } from '../prompt/prompt.ts'
import { requirementSection } from '../prompt/requirement.ts'
import { section } from '../prompt/sections.ts'
import { interpretationContract } from './contract.ts'

interface ReaderBrief {
  requirement: Requirement
  refuted: CheckedAssumption[]
  /** Why the answer before did not do. */
  problems: string[]
  /** What its answer must name. */
  nonce: string
  /** Where it writes its answer. */
  result: string
}

/** What those are told who say what is meant: the interpreter, and challengers who know nothing of its reading. */
export const readerPrompt = (name: 'interpreter' | 'challenger', brief: ReaderBrief, setting: Setting): Prompt =>
  assemble(name, setting, [
    requirementSection(brief.requirement),
    section('refuted', 'The code says otherwise', brief.refuted.map(refutedText)),
    problemsSection(interpretationContract(brief.nonce), brief.problems),
    nonceSection(interpretationContract(brief.nonce), brief),
  ])

const refutedText = ({ claim, evidence, file, line }: CheckedAssumption): string =>
  [
    `An earlier reading took this for granted, and it is wrong:\n${fenced(claim, 'claim')}`,
    `${file === null ? 'What was found' : `Found in ${oneLine(file)}${line === null ? '' : `:${line}`}`}:\n${fenced(evidence, 'evidence')}`,
  ].join('\n')
