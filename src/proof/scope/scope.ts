import type { Finding } from '../../delivery/judging/finding.ts'
import { coversAny } from '../../std/glob.ts'
import type { Change } from '../files/change.ts'
import { dependencyFindings } from './dependencies.ts'
import { generatedFindings } from './generated.ts'
import { reformattingFindings } from './reformatting.ts'
import { type SecretScanner, secretFindings } from './secrets.ts'

export interface Scope {
  scan: SecretScanner
  changes: readonly Change[]
  story: {
    title: string
    description: string
    criteria: readonly string[]
    files: readonly string[]
    mayChange: readonly string[]
  }
}

/** What the change holds besides what was asked for. Only a secret, and a flood of reformatted files beside other work, hold it back. */
export async function scopeFindings({ changes, story, scan }: Scope): Promise<Finding[]> {
  const words = [story.title, story.description, ...story.criteria].join('\n').toLowerCase()
  const declared = (path: string): boolean => coversAny([...story.files, ...story.mayChange], path)
  const formats = /\b(?:format|reformat|prettier|biome|black|gofmt|rustfmt|indent|quotes?|semicolons?|lint)/.test(words)
  return [
    ...(await secretFindings(changes, scan)),
    ...(formats ? [] : reformattingFindings(changes, declared)),
    ...dependencyFindings(changes, (name) => words.includes(name.toLowerCase())),
    ...generatedFindings(changes.filter(({ path }) => !declared(path))),
  ]
}
