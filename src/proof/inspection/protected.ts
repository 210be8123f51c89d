// Files that decide how work is judged, and what runs by itself on people's machines.
import type { Finding } from '../../delivery/judging/finding.ts'
import { coversAny } from '../../std/glob.ts'
import { canonical } from '../../std/hash.ts'
import { parseJson } from '../../std/json.ts'
import { addedLines, baseName, type Change, isFixture, pathBefore, pathsOf } from '../files/change.ts'
import { type ScriptClosure, scriptsOf } from '../files/script-closure.ts'
import { objection } from './objection.ts'

interface Protection {
  /** Of the checks and the set-up, as they are on the base. */
  closure: ScriptClosure
  /** Further globs nobody may change. */
  protect: readonly string[]
}

/** Changes to what decides how work is judged. A story may do so only when its plan said so and was approved. */
export function protectedFindings(changes: readonly Change[], protection: Protection): Finding[] {
  return changes.flatMap((change) =>
    reasonsFor(change, protection).map((reason) =>
      objection({
        rule: 'protected-file',
        file: change.path,
        line: 1,
        evidence: pathsOf(change).join(' -> '),
        what: reason,
        message: `${reason}; undo this change, or have the story declare it under mayChange`,
      }),
    ),
  )
}

/** Products of agents read it by themselves, and do as it says. A page for people may be called `agents.md`. */
export const tellsAgents = (path: string): boolean =>
  ordersForAgents.test(path) && !/^docs?\/(?:.*\/)?[a-z]+\.md$/.test(path)

export const isIntegration = (path: string): boolean => integration.test(path)

function reasonsFor(change: Change, { closure, protect }: Protection): string[] {
  const paths = pathsOf(change)
  const some = (fits: (path: string) => boolean): boolean => paths.some(fits)
  if (some((path) => coversAny(protect, path))) return ['this file is protected by the settings']
  if (some((path) => closure.files.has(path))) return ['this file is part of how the checks are run']
  if (paths.every(isFixture)) return []
  const kind = kinds.find(([, fits]) => some(fits))?.[0]
  if (kind !== undefined) return [`this file is ${kind}`]
  const line = lines.find(([files, signs]) => files.test(change.path) && adds(change, signs))
  if (line !== undefined) return [line[2]]
  if (/^(?:package-lock|npm-shrinkwrap)\.json$/.test(baseName(change.path))) return installersIn(change)
  return baseName(pathBefore(change)) === 'package.json' ? inManifest(change, closure) : []
}

/** A folder may be a link that leads to another. */
const ordersForAgents =
  /(?:^|\/)(?:AGENTS(?:\.\w+)?\.md|CLAUDE(?:\.\w+)?\.md|GEMINI\.md|QWEN\.md|\.cursorrules|\.windsurfrules|\.clinerules|\.roorules|\.goosehints|\.mcp\.json|opencode\.jsonc?|\.aider[^/]*)$|(?:^|\/)(?:\.cursor|\.windsurf|\.clinerules|\.roo|\.claude|\.codex|\.gemini|\.qwen|\.copilot|\.agents|\.opencode|\.github\/(?:instructions|prompts|chatmodes|agents))(?:\/|$)|^\.github\/copilot-instructions\.md$/i

const testConfiguration =
  /^(?!(?:.*\/)?(?:examples?|samples?|docs?|templates?|playground)\/)(?:.*\/)?(?:(?:vitest|jest|ava|playwright|cypress)\.(?:config|workspace|setup|preset)\.\w+|vitest\.workspace\.\w+|setupTests\.[jt]sx?|\.mocharc(?:\.\w+)?|mocha\.opts|karma\.conf\.\w+|wdio\.conf\.\w+|jasmine\.json|cypress\.json|\.taprc|node\.config\.json|bunfig\.toml|\.?pytest\.(?:ini|toml)|\.rspec|phpunit\.xml(?:\.dist)?|nextest\.toml|\.env\.(?:test|ci)(?:\.\w+)?|sitecustomize\.py|usercustomize\.py)$/i

const integration =
  /^(?:\.github\/(?:workflows|actions)\/|\.circleci\/|\.ci\/|\.buildkite\/|\.gitlab\/|\.teamcity\/|\.woodpecker|\.semaphore\/|\.harness\/|\.tekton\/|\.azure-pipelines\/|\.builds\/|\.(?:forgejo|gitea)\/(?:workflows|actions)\/)|^(?:\.gitlab-ci\.ya?ml|azure-pipelines\S*\.ya?ml|\.travis\.yml|\.?appveyor\.yml|bitbucket-pipelines\.yml|\.drone\.(?:ya?ml|star|jsonnet)|cloudbuild\.ya?ml|\.cirrus\.(?:yml|star)|bitrise\.yml|wercker\.yml|buildspec\S*\.ya?ml|codefresh\.yml|codemagic\.yaml|\.build\.yml|\.vsts-ci\.yml|\.prow\.ya?ml|\.cds\.ya?ml)$|(?:^|\/)Jenkinsfile$/i

/** By their names alone. Adding one counts too: it overrides what was there. */
const kinds: [kind: string, fits: (path: string) => boolean][] = [
  ['an instruction file for agents', tellsAgents],
  ['test configuration', (path) => testConfiguration.test(path)],
  ['part of continuous integration', isIntegration],
  ["Ropewalk's own configuration", (path) => /^ropewalk\.ya?ml$|^\.ropewalk\//i.test(path)],
]

/** By what an added line says. */
const lines: [files: RegExp, signs: RegExp, reason: string][] = [
  [/(?:^|\/)\.gitattributes$/, /\sfilter=(?!lfs\b)/, 'git would run a filter on these files'],
  [
    /(?:^|\/)\.vscode\/tasks\.json$|\.code-workspace$/,
    /"runOn"\s*:\s*"folderOpen"/,
    'this runs a program as soon as somebody opens the folder',
  ],
  [/\.pth$/, /^import[ \t]/, 'this runs a program as soon as somebody starts Python'],
]

const adds = (change: Change, signs: RegExp): boolean => addedLines(change).some(({ text }) => signs.test(text))

/** Of the packages that are new, those that run a program wherever they are installed. */
function installersIn({ before, after }: Change): string[] {
  const known = installersOf(before)
  return installersOf(after)
    .filter((name) => !known.includes(name))
    .map((name) => `the package "${name}" runs a script of its own when it is installed`)
}

function installersOf(text: string | null): string[] {
  const { packages = {} } = Object(parseJson(text ?? '')) as {
    packages?: Record<string, { hasInstallScript?: boolean }>
  }
  return Object.keys(packages)
    .filter((path) => path !== '' && packages[path]?.hasInstallScript === true)
    .map((path) => path.replace(/^.*node_modules\//, ''))
}

const installing = ['preinstall', 'install', 'postinstall']

const runners = ['jest', 'mocha', 'ava', 'vitest', 'tap', 'c8', 'nyc']

/** Of a package.json: the scripts that the checks reach, and what test runners read there. All else is free. */
function inManifest(change: Change, closure: ScriptClosure): string[] {
  const reached = closure.scripts.get(pathBefore(change)) ?? new Set<string>()
  if (change.status === 'deleted' || change.oldPath !== null)
    return reached.size > 0 ? ['the checks need this package.json'] : []
  const after = parseJson(change.after ?? '') as Record<string, unknown> | null
  if (after === null || typeof after !== 'object') return ['this package.json cannot be read any more']
  if (change.before === null && reached.size === 0) return []
  const before = (parseJson(change.before ?? '') ?? {}) as Record<string, unknown>
  const [had, has] = [scriptsOf(change.before), scriptsOf(change.after)]
  return [
    ...installing
      .filter((name) => has[name] !== undefined && had[name] !== has[name])
      .map((name) => `the script "${name}" runs whenever it is installed`),
    ...[...reached, ...(change.before === null ? [] : closure.scriptsAnywhere)]
      .filter((name) => had[name] !== has[name])
      .map((name) => `the script "${name}" is part of how the checks are run`),
    ...runners
      .filter((key) => canonical(before[key]) !== canonical(after[key]))
      .map((key) => `the section "${key}" of package.json is test configuration`),
  ]
}
