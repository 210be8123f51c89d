// Reads test/corpora/integrity; its README tells the form.
import { readdirSync, readFileSync } from 'node:fs'
import type { Change } from '../../../src/proof/files/change.ts'

export interface Sample {
  /** `python: drops an assertion`. */
  name: string
  language: string
  mayChange: string[]
  checks: string[]
  changes: Change[]
}

const root = new URL('../../corpora/integrity/honest/', import.meta.url)

export function honestSamples(): Sample[] {
  return readdirSync(root).flatMap((file) => {
    const text = readFileSync(new URL(file, root), 'utf8')
    const language = file.replace(/\.diff$/, '')
    return text
      .split(/^# /m)
      .slice(1)
      .map((part) => sampleOf(language, part))
  })
}

function sampleOf(language: string, part: string): Sample {
  const [head, ...files] = part.split(/^@@ /m)
  const [title, ...fields] = head!.trim().split('\n')
  const field = (name: string): string[] =>
    fields.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2))
  return {
    name: `${language}: ${title}`,
    language,
    mayChange: field('mayChange'),
    checks: field('checks'),
    changes: files.map(changeOf),
  }
}

function changeOf(part: string): Change {
  const [place, ...lines] = part.split('\n')
  const [from, to = from] = place!.split(' -> ')
  const side = (sign: string): string | null => {
    const own = lines
      .filter((line) => line.startsWith(' ') || line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
    return own.length === 0 ? null : own.join('')
  }
  const [before, after] = [side('-'), side('+')]
  return {
    path: to!,
    oldPath: from === to ? null : from!,
    status: before === null ? 'added' : after === null ? 'deleted' : from === to ? 'modified' : 'renamed',
    binary: false,
    oldMode: before === null ? null : '100644',
    newMode: after === null ? null : '100644',
    before,
    after,
  }
}
