import { blocks, type Finding } from '../../delivery/judging/finding.ts'
import { coversAny } from '../../std/glob.ts'
import { type Change, pathsOf } from '../files/change.ts'
import type { ScriptClosure } from '../files/script-closure.ts'
import { clutterFindings } from './clutter.ts'
import { objection } from './objection.ts'
import { protectedFindings } from './protected.ts'
import { sensingFindings } from './sensing.ts'
import { testMarkFindings } from './test-marks.ts'

export interface Inspection {
  changes: readonly Change[]
  story: { files: readonly string[]; mayChange: readonly string[]; mayBeEmpty: boolean }
  /** Of the checks and the setup, as they are on the base: see `scriptClosure`. */
  closure: ScriptClosure
  /** Further globs nobody may change. */
  protect: readonly string[]
  /** Sentences that only our own prompts contain. */
  ownText: readonly string[]
}

/** What is wrong with a diff as such, whatever the checks say. */
export function inspect(inspection: Inspection): Finding[] {
  const { changes, story, ownText } = inspection
  if (changes.length === 0) return story.mayBeEmpty ? [] : [emptyDiff()]
  const findings = [
    ...clutterFindings(changes, { files: story.files, ownText }),
    ...protectedFindings(changes, inspection),
    ...testMarkFindings(changes),
  ].filter((finding) => finding.rule === 'link-outside' || !isAllowed(finding, inspection))
  return bounded([...findings, ...sensingFindings(changes), ...strayFindings(inspection)])
}

const mostFindings = 40

/** A diff may be wrong in thousands of places; the worst come first, and the rest is a number. */
function bounded(findings: Finding[]): Finding[] {
  if (findings.length <= mostFindings) return findings
  const sorted = [...findings.filter(blocks), ...findings.filter((finding) => !blocks(finding))]
  const rest = sorted.slice(mostFindings)
  const message = `${rest.length} more findings of this kind, for example in ${rest[0]!.file ?? 'the diff'}`
  const { severity } = rest[0]!
  return [...sorted.slice(0, mostFindings), objection({ rule: 'more-findings', file: null, message, severity })]
}

const emptyDiff = (): Finding =>
  objection({
    rule: 'empty-diff',
    file: null,
    message: 'nothing was changed, and the story does not say that it may be so',
  })

/** A finding on either name of a renamed file is covered by a permission for both. */
function isAllowed(finding: Finding, { changes, story }: Inspection): boolean {
  if (finding.file === null) return false
  const change = changes.find((one) => pathsOf(one).includes(finding.file!))
  const paths = change === undefined ? [finding.file] : pathsOf(change)
  return paths.every((path) => coversAny(story.mayChange, path))
}

function strayFindings({ changes, story }: Inspection): Finding[] {
  if (story.files.length === 0) return []
  const declared = [...story.files, ...story.mayChange]
  return changes
    .filter((change) => !pathsOf(change).every((path) => coversAny(declared, path)))
    .map((change) =>
      objection({
        rule: 'outside-declared-files',
        file: change.path,
        severity: 'suggestion',
        message: 'this file is not among those the story declares',
      }),
    )
}
