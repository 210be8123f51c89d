// What product code can still sense is that a test runner runs at all, and no run can show that it does. Some of it has
// honest uses, so nothing is held back for it: a reviewer looks at the line, and people are told.
import type { Finding } from '../../delivery/judging/finding.ts'
import { isProductCode } from '../breakage/spots.ts'
import { type AddedLine, addedLines, type Change } from '../files/change.ts'
import { objection } from './objection.ts'

/** Added lines of the product that could tell a test run from any other. */
export function sensingLines(change: Change): AddedLine[] {
  if (change.after === null || !isProductCode(change.path, change.after)) return []
  const signs = signsByFile.flatMap(([files, some]) => (files.test(change.path) ? some : []))
  const lines = addedLines(change).filter(({ text }) => !isComment.test(text))
  return lines.filter(
    ({ text }, index) =>
      signs.some((sign) => sign.test(text.slice(0, 2_000))) || isForTests(text, lines[index + 1]?.text ?? ''),
  )
}

export const sensingFindings = (changes: readonly Change[]): Finding[] =>
  changes.flatMap((change) =>
    sensingLines(change).map(({ line, text }) =>
      objection({
        rule: 'senses-tests',
        file: change.path,
        line,
        what: text.trim(),
        severity: 'suggestion',
        message: `${change.path}:${line} could tell when it is tested, and do something else otherwise`,
        evidence: `+ ${text.trim().slice(0, 200)}`,
      }),
    ),
  )

const isComment = /^\s*(?:\/\/|#(?!\[)|\*)/

/** In Rust, a statement that is there only when units are tested. */
const isForTests = (text: string, next: string): boolean =>
  /^\s+#\[cfg\((?:test|(?:all|any)\(.*\btest\b.*\))\)\]\s*$/.test(text) &&
  !/^\s*(?:(?:pub(?:\(.*?\))? )?(?:mod|use|fn|struct|impl|enum|const|static|type|trait|macro_rules|async|unsafe)\b|#|\/\/|$)/.test(
    next,
  )

const js = /\.(?:[cm]?[jt]sx?|vue|svelte)$/
/** Where a command line is read, that is nothing to speak of. */
const jsInside =
  /^(?!(?:.*\/)?(?:bin|cli|cmd|scripts?|tools?)\/)(?!.*(?:^|\/)(?:cli|main|bin|server)\.\w+$).*\.(?:[cm]?[jt]sx?|vue|svelte)$/

/** Variables, arguments, the stack, what else is loaded, and a day that is written down. */
const signsByFile: [RegExp, RegExp[]][] = [
  [
    /./,
    [
      /\b(?:NODE_TEST_CONTEXT|NODE_TEST_WORKER_ID|JEST_WORKER_ID|VITEST_\w+|PYTEST_\w+|CARGO_BIN_EXE_\w+|RUST_TEST_\w+)\b/,
      /\b(?:env|environ|getenv|Getenv|var|ENV)\b.{0,4}[.[('"]+(?:NODE_ENV|VITEST|CI|APP_ENV|RAILS_ENV|TEST)\b/,
      /["'`/]\/?proc\/(?:self|thread-self|\d|\{|%|["'`])/,
      /(?:\btoday\(\)|\bnow\(\)|\bNow\(\)|\btime\(\)|\bnew Date\(\)|\bgetFullYear\(\)).*(?:[<>]=?|\bBefore\(|\bAfter\(|\.is_?(?:before|after)\().*\b(?:20[2-9]\d|1[789]\d{8,11})\b/i,
    ],
  ],
  [
    js,
    [
      /\bexecArgv\b|\bnpm_(?:lifecycle|command|config)_\w*\b|\brequire\.cache\b|\brequire\.main\b.*\btest/,
      /\btypeof\s+(?:global(?:This)?\.)?(?:jest|vi|describe|it|test|beforeEach|expect)\b/,
      // The environment as a whole, or a name that is put together.
      /\b(?:keys|entries|values|getOwnPropertyNames|ownKeys|stringify)\(\s*process\.env\b|\bin\s+process\.env\b|\bprocess\.env\s*\[(?!\s*['"`]\w+['"`]\s*\]|\s*[A-Za-z_$][\w$.]*\s*\])/,
      /\.stack\b.*\b(?:includes|match|test|split|indexOf)\b|\{\s*stack\b[^}]*\}\s*=|\[\s*['"`]stack['"`]\s*\]|\b(?:stackTraceLimit|captureStackTrace|prepareStackTrace|getCallSites?)\b/,
      /['"`](?:describe|it|test|expect|suite|jest|vi|vitest|mocha)['"`]\s+in\s+global|\b(?:has|get|getOwnProperty\w+|ownKeys|keys|entries)\(\s*global(?:This)?\b|\bglobal(?:This)?\s*(?:\?\.\s*)?(?:\.\s*(?:describe|it|test|expect|suite|jest|vi|vitest|mocha)\b|\[)/,
      /\bprocess\.(?:title|ppid|connected|channel|binding|mainModule|_eval|uptime)\b|\bmodule\.(?:parent|children)\b|\bprocess\s*\[/,
      /\bimport\.meta\.(?:vitest|jest)\b|\bimport\.meta\.env\s*\??\.?\s*\[?['"`]?(?:MODE|TEST|VITEST)\b/,
      /['"`/](?:[^'"`\s]*[/\\^|(])?(?:\.{1,2}\/tests?\b|__tests__|vitest|jest|mocha)\b[^'"`\n]{0,40}['"`/]|['"`/][^'"`\n]{0,40}\\?\.(?:test|spec)\b[^'"`\n]{0,20}['"`/]/,
    ],
  ],
  [jsInside, [/\bprocess\.argv\b|\bisTTY\b|\bisMainThread\b|\brequire\.main\b(?!\s*===?\s*module\b)/]],
  [
    /\.py$/,
    [
      /\bsys\.(?:modules|orig_argv|meta_path|path_hooks|_current_frames|_getframe|[gs]ettrace|[gs]etprofile|flags|__dict__)\b|\bsys\.argv\[0\].*test|\b(?:vars|getattr)\(\s*sys\b/,
      /^\s*import __main__\b|\b__main__\.__\w+__|\bgetattr\(\s*__main__\b|\b_called_from_test\b|["']_?(?:pytest|unittest|nose2?)\b/,
      /\.(?:f_back|tb_frame|f_globals)\b|\b(?:extract_stack|walk_stack|currentframe|format_stack|inspect\.stack)\(|\bgc\.get_(?:objects|referrers)\(/,
      /\bgetLogger\(\)\.handlers\b|\blogging\.root\.handlers\b|\btype\(\s*sys\.std(?:in|out|err)\s*\)/,
      /\bin\s+os\.environ(?:\.(?:keys|values|items|copy)\(\))?(?=\s*[):\]]|\s*$)|\b(?:__import__|import_module)\(.*["']\s*\+/,
      /\b(?:exists|is_?file|is_?dir|stat|access|Path|open)\b.*["'](?:\.\/)?(?:tests?\/|(?:\w+\/)*test_\w+\.py)/,
    ],
  ],
  [
    /\.go$/,
    [
      /\btesting\.(?:Testing|Init|Short|Verbose|CoverMode|MainStart)\(|\bflag\.(?:Lookup|VisitAll|Set|CommandLine\.(?:Lookup|VisitAll|Set))\(|\bos\.Args\[0\]|["'`]-?test\.\w*["'`]|["'`][-.]test["'`]|["'`]go-build/,
      /\bruntime\.(?:Callers?|NumGoroutine|Stack|FuncForPC)\(|\bdebug\.(?:Stack|PrintStack|ReadBuildInfo)\(|\bos\.(?:Environ|Executable)\(\)|\b(?:Stat|Open)\(.*_test\.go/,
    ],
  ],
  [
    /\.rs$/,
    [
      /\bcfg!?\(.*\b(?:debug_assertions|overflow_checks|doctest|miri)\b|\bcfg!\(.*\btest\b|#\[cfg\(.*\bnot\(.*\btest\b|\bcfg_attr\(.*\btest\b/,
      /\bthread::current\(\)\.name\b|\bcurrent_exe\(\)|\bBacktrace::(?:force_)?capture\b|\bvar(?:_os)?\(\s*"CARGO\w*"|\benv::vars(?:_os)?\(\)|"\/?deps\/?"/,
    ],
  ],
]
