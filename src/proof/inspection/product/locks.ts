import { type AddedLine, addedLines } from '../../scope/added-lines.ts'
import { baseName, type Change } from '../change.ts'
import { parseJson } from '../script-closure.ts'

type Told = AddedLine & { what: string }

const locks =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock|Cargo\.lock|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|Gemfile\.lock|composer\.lock|deno\.lock)$/

/** Where everybody's packages are. */
const usual = [
  ...['registry.npmjs.org', 'registry.yarnpkg.com', 'pypi.org', 'files.pythonhosted.org', 'rubygems.org'],
  ...['github.com/rust-lang/crates.io-index', 'index.crates.io', 'repo.packagist.org', 'api.github.com', 'jsr.io'],
]

/** Entries of a lock file that lead elsewhere than the others, or to other content under the name that it had. */
export function lockLines(change: Change): Told[] {
  if (!locks.test(baseName(change.path)) || change.after === null) return []
  const known = new Set([...usual, ...(change.before ?? '').split('\n').flatMap(sourcesIn)])
  const strange = addedLines(change).flatMap((line): Told[] => {
    const source = sourcesIn(line.text).find((one) => !known.has(one))
    return source === undefined
      ? []
      : [{ ...line, what: `fetches a package from ${source}, where none came from before` }]
  })
  return [...strange, ...otherContent(change)]
}

/** The host; where many people have their own things on one, with whose. */
function sourcesIn(line: string): string[] {
  if (/\b(?:homepage|funding|bugs|docs|support|issues|notification-url|deprecated|description)\b/.test(line)) return []
  return [...line.matchAll(/(?:https?|ssh|git):\/\/(?:[^@/\s"]*@)?([\w.-]+)(?::\d+)?((?:\/[\w.~-]+){0,2})/g)].map(
    ([, host, path]) => (/(?:^|\.)(?:github|gitlab|bitbucket|codeberg)\./.test(host!) ? plain(host! + path!) : host!),
  )
}

const plain = (source: string): string => source.replace(/^(?:codeload|www)\./, '').replace(/\.git$/, '')

interface Entry {
  version?: string
  integrity?: string
  resolved?: string
  name?: string
}

function otherContent({ before, after }: Change): Told[] {
  const [then, now] = [entriesOf(before), entriesOf(after)]
  const lines = after!.split('\n')
  return Object.entries(now).flatMap(([path, entry]): Told[] => {
    const had = then[path]
    const isOther = had?.version === entry.version && had?.integrity !== entry.integrity && had?.integrity !== undefined
    const name = path.replace(/^.*node_modules\//, '')
    const isNamed = had?.resolved === entry.resolved || isOf(entry, name)
    const sign = entry.resolved ?? entry.integrity
    if ((!isOther && isNamed) || path === '' || sign === undefined) return []
    const line = lines.findIndex((text) => text.includes(`"${sign}"`))
    const what = isOther
      ? `has other content for ${name} ${entry.version} than it had`
      : `fetches another package as ${name}`
    return [{ line: line + 1, text: lines[line] ?? sign, what }]
  })
}

const entriesOf = (text: string | null): Record<string, Entry> =>
  (Object(parseJson(text ?? '')) as { packages?: Record<string, Entry> }).packages ?? {}

/** An entry that has a name of its own says openly what it is; only of tarballs in a registry does the address tell. */
const isOf = ({ resolved, name }: Entry, path: string): boolean =>
  name !== undefined || resolved === undefined || !resolved.includes('/-/') || resolved.includes(`/${path}/-/`)
