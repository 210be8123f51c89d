// What runs on people's machines outside of the tests, and what leads their tools elsewhere. No check executes it, so no
// run can show what it does; honest work does some of it, so it is told with its line, and somebody looks at it.
import type { Finding } from '../../delivery/judging/finding.ts'
import { type Change, isFixture } from '../files/change.ts'
import { addedLines } from '../scope/added-lines.ts'
import { elsewhereLines } from './elsewhere.ts'
import { type Told, tell } from './report.ts'

const mostTold = 3

/** Added lines that are executed without being called, or that say where things are fetched from. */
export function byItselfLines(change: Change): Told[] {
  const { path, before, after } = change
  if (after === null || isFixture(path) || /(?:^|\/)(?:docs?|examples?|templates?)\//.test(path)) return []
  const found = table.filter(([files]) => files.test(path))
  const lines = found.length === 0 ? [] : addedLines(change).filter(({ text }) => !isComment.test(text))
  const told = lines.flatMap((line): Told[] => {
    const row = found.find(([, signs]) => signs.test(line.text))
    return row === undefined ? [] : [{ ...line, what: row[2] }]
  })
  // Of a new file all lines would fit.
  return [...(before === null ? told.slice(0, 1) : told), ...elsewhereLines(change)].slice(0, mostTold)
}

export const byItselfFindings = (changes: readonly Change[]): Finding[] =>
  changes.flatMap((change) => byItselfLines(change).map((line) => tell('runs-by-itself', change.path, line)))

/** Whether a line runs something as soon as a folder is opened or a program starts: nobody needs that undeclared. */
export const startsAtOnce = (change: Change): boolean =>
  (/(?:^|\/)\.vscode\/tasks\.json$|\.code-workspace$/.test(change.path) &&
    addedLines(change).some(({ text }) => /"runOn"\s*:\s*"folderOpen"/.test(text))) ||
  (change.path.endsWith('.pth') && addedLines(change).some(({ text }) => /^import[ \t]/.test(text)))

const isComment = /^\s*(?:\/\/|#(?!\[)|;|<!--|\*)/
const named = (names: string): RegExp => new RegExp(`(?:^|/)(?:${names})$`, 'i')

const [installs, builds, opens, hooks] = [
  'is executed where the package is installed or packed',
  'is executed where it is built or installed',
  'is executed by the tools of whoever opens or enters the folder',
  'is executed when somebody commits',
]

const table: [files: RegExp, lines: RegExp, what: string][] = [
  [
    named('package\\.json'),
    /^\s*"(?:(?:pre|post)?prepare|prepack|postpack|prepublish\w*|dependencies)"\s*:\s*"/,
    installs,
  ],
  [named('composer\\.json'), /"(?:pre|post)-[\w-]+"\s*:/, installs],
  [named('\\.pnpmfile\\.c?js|\\.yarn/(?:releases|plugins)/.*'), /\S/, installs],
  [
    named('\\.npmrc|\\.yarnrc(?:\\.yml)?'),
    /script-shell|node-options|globalconfig|yarnPath|plugins|ignore-scripts/i,
    installs,
  ],
  [
    named(
      'setup\\.py|binding\\.gyp|[\\w.-]+\\.gypi|build\\.rs|Cargo\\.toml|\\.cargo/config(?:\\.toml)?|pyproject\\.toml',
    ),
    /\b(?:cmdclass|subprocess|socket|urllib|base64|ctypes|system|popen|Command|proc-macro|build-backend|backend-path|linker|runner|replace-with|rustc-(?:wrapper|cfg|env|link))\b|\b(?:exec|eval|compile|run)\(|<!|\baction|^\s*build\s*=/i,
    builds,
  ],
  [
    named('Cargo\\.toml'),
    /\bpath\s*=\s*"\.?\/?".*\bfeatures\b|\bfeatures\b.*\bpath\s*=\s*"\.?\/?"/,
    'turns parts of the product on where it is tested, and nowhere else',
  ],
  [named('\\.envrc|shell\\.nix|flake\\.nix|devbox\\.json'), /\S/, opens],
  [
    named(
      '\\.?mise(?:\\.\\w+)?\\.toml|\\.vscode/[\\w.-]+\\.json|\\.idea/.*\\.xml|\\.devcontainer/.*|\\.?devcontainer\\.json|\\.gitpod\\.yml',
    ),
    /\[hooks|command|\bexec|runOn|<option|"(?:[\w.-]*\.)?(?:\w*path|tsdk|interpreter|executable|shell|runtime)"\s*:/i,
    opens,
  ],
  [named('(?:\\.husky|\\.githooks|\\.git-hooks)/(?!_/)[^/]+'), /\S/, hooks],
  [
    named('\\.?lefthook\\.ya?ml|\\.pre-commit-config\\.yaml'),
    /^\s*-?\s*(?:repo:\s*(?!local\b|meta\b)|entry:|run:)/,
    hooks,
  ],
]
