// What runs on people's machines outside of the tests, and what leads their tools elsewhere. No check executes it, so no
// run can show what it does; honest work does some of it, so it is told with its line, and somebody looks at it.
import type { Finding } from '../../../delivery/judging/finding.ts'
import { type AddedLine, addedLines } from '../../scope/added-lines.ts'
import { type Change, isFixture } from '../change.ts'
import { report } from '../report.ts'
import { lockLines } from './locks.ts'

interface Told extends AddedLine {
  what: string
}

const mostTold = 3

/** Added lines that are executed without being called, or that say where things are fetched from. */
export function byItselfLines(change: Change): Told[] {
  const { path, before, after } = change
  if (after === null || isFixture(path) || /(?:^|\/)(?:docs?|examples?|templates?)\//.test(path)) return []
  const found = table.filter(([files]) => files.test(path))
  const lines = found.length === 0 ? [] : addedLines(change).filter(({ text }) => !isComment.test(text))
  const told = lines.flatMap((line): Told[] => {
    const row = found.find(([, signs, , whenNew]) => signs.test(line.text) || (whenNew === true && before === null))
    return row === undefined ? [] : [{ ...line, what: row[2] }]
  })
  // Of a new file all lines would fit.
  const first =
    before === null ? told.filter(({ what }, at) => told.findIndex((one) => one.what === what) === at) : told
  return [...first, ...lockLines(change)].slice(0, mostTold)
}

export const byItselfFindings = (changes: readonly Change[]): Finding[] =>
  changes.flatMap((change) =>
    byItselfLines(change).map(({ line, text, what }) =>
      report({
        rule: 'runs-by-itself',
        file: change.path,
        line,
        what: text.trim(),
        severity: 'suggestion',
        message: `${change.path}:${line} ${what}`,
        evidence: `+ ${text.trim().slice(0, 200)}`,
      }),
    ),
  )

/** Whether a line runs something as soon as a folder is opened or a program starts: nobody needs that undeclared. */
export const startsAtOnce = (change: Change): boolean =>
  (/(?:^|\/)\.vscode\/tasks\.json$|\.code-workspace$/.test(change.path) &&
    addedLines(change).some(({ text }) => /"runOn"\s*:\s*"folderOpen"/.test(text))) ||
  (change.path.endsWith('.pth') && addedLines(change).some(({ text }) => /^import[ \t]/.test(text)))

const isComment = /^\s*(?:\/\/|#(?!\[)|;|<!--|\*)/
const named = (names: string): RegExp => new RegExp(`(?:^|/)(?:${names})$`, 'i')

const elsewhere = 'says where packages are fetched from'
const installs = 'is executed where the package is installed or packed'
const builds = 'is executed where it is built or installed'
const opens = 'is executed by the tools of whoever opens or enters the folder'
const hooks = 'is executed when somebody commits'

/** Files, lines of them, what these do; and whether every line of a new file does. */
const table: [files: RegExp, lines: RegExp, what: string, whenNew?: true][] = [
  [
    named('package\\.json'),
    /^\s*"(?:(?:pre|post)?prepare|prepack|postpack|prepublish\w*|dependencies)"\s*:\s*"/,
    installs,
  ],
  [
    named('package\\.json'),
    /^\s*"(?!homepage"|url"|bugs"|repository"|funding"|\$schema"|author"|license"|docs?")[@\w./-]+"\s*:\s*"(?:git[+:]|https?:|ssh:|(?:github|gitlab|bitbucket|gist):|npm:|file:(?:\/|(?:\.\.\/){2})|[\w-]+\/[\w.-]+#)/,
    elsewhere,
  ],
  [
    named('\\.npmrc|\\.yarnrc(?:\\.yml)?|\\.pnpmrc|pnpm-workspace\\.yaml|bunfig\\.toml'),
    /registry|_auth|script-shell|node-options|globalconfig|yarnPath|plugins|npmRegistryServer|ignore-scripts|onlyBuiltDependencies|dangerously|^\s*(?:git|prefix|cafile|proxy|https-proxy)\s*=/i,
    elsewhere,
  ],
  [named('\\.pnpmfile\\.c?js|\\.yarn/(?:releases|plugins)/.*'), /\S/, installs],
  [
    named(
      'pip\\.conf|pip\\.ini|\\.pypirc|(?:requirements|constraints)[^/]*\\.(?:txt|in)|uv\\.toml|poetry\\.toml|Pipfile|pyproject\\.toml|environment\\.ya?ml|\\.condarc',
    ),
    /index[-_]url|find-links|trusted-host|\bgit\+|@\s*(?:https?|file):|^\s*(?:-e|url\s*=|git\s*=|index-servers|channel_alias)/,
    elsewhere,
  ],
  [named('pyproject\\.toml'), /^\s*(?:build-backend|backend-path|cmdclass)\b/, builds],
  [
    named('setup\\.py'),
    /\bcmdclass\b|\bimport\s+(?:os|subprocess|socket|urllib|requests|base64|ctypes)\b|\b(?:exec|eval|compile|system|popen|Popen|check_call|run)\(/,
    builds,
    true,
  ],
  [named('binding\\.gyp|[\\w.-]+\\.gypi'), /<!|\baction/, builds, true],
  [
    named('build\\.rs'),
    /\bCommand\b|\bnet::|\b(?:ureq|reqwest|curl)\b|\bfs::(?:write|copy|remove)|rustc-(?:cfg|env|link)/,
    builds,
    true,
  ],
  [named('Cargo\\.toml'), /\bgit\s*=\s*"|^\s*\[patch\b|\bregistry\s*=|\bregistry-index\s*=|path\s*=\s*"\//, elsewhere],
  [named('Cargo\\.toml'), /^\s*build\s*=\s*"|\bproc-macro\s*=\s*true/, builds],
  [
    named('Cargo\\.toml'),
    /\bpath\s*=\s*"\.?\/?".*\bfeatures\b|\bfeatures\b.*\bpath\s*=\s*"\.?\/?"/,
    'turns parts of the product on where it is tested, and nowhere else',
  ],
  [
    named('\\.cargo/config(?:\\.toml)?'),
    /^\s*(?:runner|rustc(?:-wrapper|-workspace-wrapper)?|linker|replace-with|registry|index|directory|local-registry|credential-provider)\s*=|^\s*\[(?:source|registries|alias|env|patch|http|net)/,
    builds,
  ],
  [named('go\\.(?:mod|work)'), /=>|^\s*use\s+\.\.\/\.\./, elsewhere],
  [
    named('\\.gitmodules|\\.lfsconfig|\\.gitconfig'),
    /^\s*(?:url|update|command|hooksPath|fsmonitor|sshCommand|path)\s*=/i,
    elsewhere,
  ],
  [named('\\.envrc|\\.autoenv|\\.env\\.zsh|shell\\.nix'), /\S/, opens],
  [
    named('\\.?mise(?:\\.\\w+)?\\.toml|\\.rtx\\.toml|flake\\.nix|devbox\\.json'),
    /\[hooks|_\.(?:source|path)|\bexec\(|shellHook|init_hook|enter\s*=/,
    opens,
  ],
  [
    named(
      '\\.vscode/tasks\\.json|\\.idea/(?:runConfigurations/.*|watcherTasks\\.xml|externalTools\\.xml|startup\\.xml)',
    ),
    /"?command"?|runOn|<option|<configuration/,
    opens,
  ],
  [
    named('\\.vscode/settings\\.json|[\\w.-]+\\.code-workspace'),
    /"[\w.-]*(?:path|tsdk|interpreter|executable|command|shell|runtime|\.env\.|autorun|defaultProfile)[\w.-]*"\s*:/i,
    opens,
  ],
  [
    named('(?:\\.devcontainer/.*|\\.?devcontainer\\.json|\\.gitpod\\.yml)'),
    /(?:initialize|onCreate|updateContent|post(?:Create|Start|Attach))Command|"(?:image|features|mounts|runArgs)"|^\s*-?\s*(?:init|before|command|image)\s*:/,
    opens,
  ],
  [named('(?:\\.husky|\\.githooks|\\.git-hooks)/(?!_/)[^/]+'), /\S/, hooks],
  [
    named('\\.?lefthook\\.ya?ml|\\.pre-commit-config\\.yaml|\\.overcommit\\.yml'),
    /^\s*-?\s*(?:repo:\s*(?!local\b|meta\b)|entry:|run:|command:|install_command)/,
    hooks,
  ],
  [
    named('(?:gradle|maven)-wrapper\\.properties'),
    /Url\s*=\s*https?\\?:(?!\/\/(?:services\.gradle\.org|downloads\.gradle\.org|repo\.maven\.apache\.org|repo1\.maven\.org)\/)/,
    elsewhere,
  ],
  [
    named(
      '\\.mvn/(?:extensions\\.xml|jvm\\.config|maven\\.config)|nuget\\.config|\\.bundle/config|init\\.gradle(?:\\.kts)?',
    ),
    /\S/,
    builds,
  ],
  [named('Gemfile'), /^\s*source\b(?!\s*\(?['"]https:\/\/rubygems\.org)|\b(?:git|github):|:git\s*=>/, elsewhere],
  [named('composer\\.json'), /"(?:pre|post)-[\w-]+"\s*:|"repositories"\s*:|"type"\s*:\s*"(?:vcs|git|path)"/, installs],
]
