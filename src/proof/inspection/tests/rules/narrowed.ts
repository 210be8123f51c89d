import type { Finding } from '../../../../delivery/judging/finding.ts'
import { report } from '../../report.ts'
import type { TestChange } from '../test-case.ts'
import { lostLines } from './lost-lines.ts'

/** A table that tests ran over as it was, and of which they now take a part; fresh tests may take any part. */
export function narrowedFindings({ change, before, after }: TestChange): Finding[] {
  if (before === null || after === null) return []
  const [had, has] = [usesIn(before.masked), usesIn(after.masked)]
  const names = [...has.parts.keys()].filter(
    (name) =>
      has.parts.get(name)! > (had.parts.get(name) ?? 0) && (had.whole.get(name) ?? 0) > (has.whole.get(name) ?? 0),
  )
  const lines = lostLines(before.text, after.text)
  return names.map((name) =>
    report({
      rule: 'test-weakened',
      file: change.path,
      line: lines.offset + 1,
      what: `part of ${name}`,
      message: `tests ran over all of "${name}", and now over a part of it; let them run over all cases and mend the code`,
      evidence: lines.text,
      fixTarget: 'tests',
    }),
  )
}

interface Uses {
  whole: Map<string, number>
  parts: Map<string, number>
}

const loops =
  /(?:\.\s*(?:each|for)\s*\(|\bof\s|\bin\s|\brange\s|\bparametrize\s*\(\s*(?:["'][^"'\n]*["']|[([][^()[\]\n]*[)\]])\s*,)\s*&?([A-Za-z_$][\w$]*)(\s*(?:\.\s*(?:slice|filter|splice|take|skip|iter\(\)\s*\.\s*(?:take|skip|filter))\s*\(|\[[^\]\n]*:[^\]\n]*\]))?/g

function usesIn(masked: string): Uses {
  const uses: Uses = { whole: new Map(), parts: new Map() }
  for (const [, name, part] of masked.matchAll(loops)) {
    const kind = part === undefined ? uses.whole : uses.parts
    kind.set(name!, (kind.get(name!) ?? 0) + 1)
  }
  return uses
}
