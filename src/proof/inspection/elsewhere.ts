import { baseName, type Change } from '../files/change.ts'
import { parseJson } from '../files/script-closure.ts'
import { addedLines } from '../scope/added-lines.ts'
import type { Told } from './report.ts'

const manifests =
  /^(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|\.npmrc|\.yarnrc(?:\.yml)?|pnpm-workspace\.yaml|pip\.(?:conf|ini)|\.pypirc|(?:requirements|constraints)[^/]*\.(?:txt|in)|Pipfile|pyproject\.toml|uv\.toml|Cargo\.toml|go\.(?:mod|work)|Gemfile|composer\.json|\.gitmodules|\.lfsconfig|nuget\.config|[\w-]+-wrapper\.properties|pnpm-lock\.yaml|(?:bun|deno|yarn|Cargo|poetry|uv|pdm|Pipfile|Gemfile|composer)\.lock)$/i

/** Where everybody's packages are. */
const usual = [
  ...['registry.npmjs.org', 'registry.yarnpkg.com', 'pypi.org', 'files.pythonhosted.org', 'rubygems.org'],
  ...['github.com/rust-lang/crates.io-index', 'index.crates.io', 'repo.packagist.org', 'api.github.com', 'jsr.io'],
  ...['services.gradle.org', 'downloads.gradle.org', 'repo.maven.apache.org', 'repo1.maven.org', 'api.nuget.org'],
]

/** Lines that say to fetch a package from elsewhere than the others, or another one under its name. */
export function elsewhereLines(change: Change): Told[] {
  if (!manifests.test(baseName(change.path)) || change.after === null) return []
  const known = new Set([...usual, ...(change.before ?? '').split('\n').flatMap(sourcesIn)])
  const strange = addedLines(change).flatMap((line): Told[] => {
    const source = sourcesIn(line.text).find((one) => !known.has(one))
    return source === undefined
      ? []
      : [{ ...line, what: `fetches a package from ${source}, where none came from before` }]
  })
  return [...strange, ...otherNames(change)]
}

const explains =
  /(?<![-\w])(?:homepage|url|repository|documentation|changelog|funding|bugs|issues|author|docs|support|notification-url|deprecated|description|\$schema|schema)"?\s*[:=]/i

/** The host; where many people have their own things on one, with whose; a folder or another package by its name. */
function sourcesIn(line: string): string[] {
  const own = /(?:=>\s*|["'](?=npm:|file:)|["']?\b(?:github|gitlab|bitbucket|gist):)(\S[^"'\s,]*)/.exec(line)?.[1]
  const isFetched = !explains.test(line) || /^\s*url\s*=/.test(line)
  const hosts = [
    ...line.matchAll(/(?:https?|ssh|git)\\?:\/\/(?:[^@/\s"]*@)?([\w.-]+)(?::\d+)?((?:\/[\w.~-]+){0,2})/g),
  ].map(([, host, path]) =>
    /(?:^|\.)(?:github|gitlab|bitbucket|codeberg)\./.test(host!) ? plain(host! + path!) : host!,
  )
  return isFetched ? [...hosts, ...(own === undefined ? [] : [own])] : []
}

const plain = (source: string): string => source.replace(/^(?:codeload|www)\./, '').replace(/\.git$/, '')

interface Entry {
  resolved?: string
  name?: string
}

/** Of a lock in JSON; an entry that has a name of its own says openly what it is. */
function otherNames({ before, after }: Change): Told[] {
  const then = entriesOf(before)
  const lines = after!.split('\n')
  return Object.entries(entriesOf(after)).flatMap(([path, { resolved, name }]): Told[] => {
    const own = path.replace(/^.*node_modules\//, '')
    const isPlain = name !== undefined || resolved === undefined || !resolved.includes('/-/')
    if (isPlain || resolved.includes(`/${own}/-/`) || then[path]?.resolved === resolved) return []
    const line = lines.findIndex((text) => text.includes(`"${resolved}"`))
    return [{ line: line + 1, text: lines[line] ?? resolved, what: `fetches another package as ${own}` }]
  })
}

const entriesOf = (text: string | null): Record<string, Entry> =>
  (Object(parseJson(text ?? '')) as { packages?: Record<string, Entry> }).packages ?? {}
