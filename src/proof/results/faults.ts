import type { Finding } from '../../delivery/judging/finding.ts'
import type { Need } from '../../delivery/policy.ts'
import { hashOf } from '../../std/hash.ts'
import type { CheckResult, TestFailure } from './check-result.ts'

// Where nothing was checked because the machine, or what the settings say of it, is at fault.

/**
 * `full`: there is no room left. `lacking`: the machine does not have the program that the settings name, and no story
 * can bring it. `not-started`: something could not be started that a story may have broken, or may have to bring.
 */
export type Fault = 'full' | 'lacking' | 'not-started'

export function faultOf(result: CheckResult, command: string): Fault | null {
  // What tells of tests has run them.
  if (result.status === 'pass' || result.status === 'timeout' || result.counts !== null) return null
  const text = `${result.message}\n${result.tail}`
  if (/\bENOSPC\b|No space left on device|Disk quota exceeded/.test(text)) return 'full'
  if (!notStarted.test(text)) return null
  return programsOf(command).some((program) => isSaidMissing(program, text)) ? 'lacking' : 'not-started'
}

/** By the shell, by make, by npm. */
const notStarted =
  /could not be run \(exit code|the command was not found|\bError 12[67]$|code ELIFECYCLE\n.*errno 12[67]|: (?:command )?not found$/m

/** What a line of shell starts itself; not what is a path, which a story may bring. */
const programsOf = (command: string): string[] =>
  command
    .split(/&&|\|\||[;|\n]/)
    .map((part) => part.trim().replace(/^(?:\w+=\S*\s+)+/, ''))
    .map((part) => part.split(/\s/, 1)[0] ?? '')
    .filter((word) => /^[\w.+-]+$/.test(word))

const isSaidMissing = (program: string, text: string): boolean =>
  text.split('\n').some((line) => {
    const said = /(?:^|[:\s])([^\s:]+): (?:command )?not found$/.exec(line.trim())
    return said?.[1] === program
  })

const mostLines = 4
const longestLine = 200

/** The first and the last lines of an output, for people. */
export function endsOf(text: string): string {
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trimEnd().slice(0, longestLine)]))
  if (lines.length === 0) return 'it printed nothing'
  const shown = lines.length <= 2 * mostLines ? lines : [...lines.slice(0, mostLines), '…', ...lines.slice(-mostLines)]
  return `it printed:\n${shown.map((line) => `  ${line}`).join('\n')}\n`
}

/** What a confined command was kept from. */
export interface Confined {
  check: string
  needs: readonly Need[]
  egress: 'open' | 'closed'
  /** The user's home, which was empty for it. */
  home: string
  /** Where it ran, as it saw it. */
  place: string
}

const docker =
  /Cannot connect to the Docker daemon|docker(?:\.sock| daemon)|podman\.sock|Could not find a working container runtime/i
const network =
  /ENOTFOUND|EAI_AGAIN|ENETUNREACH|Network is unreachable|name resolution|Could not resolve host|no such host|Failed to establish a new connection/i
const missing = /ENOENT|EACCES|EROFS|No such file|not found|does not exist|Read-only file system|Permission denied/i

/** What a failing command seems to have lacked because it was confined, and how it is allowed; null: nothing tells of that. */
export function lackOf(output: string, { check, needs, egress, home, place }: Confined): string | null {
  const lacks = (need: Need): boolean => {
    if (needs.includes(need)) return false
    if (need === 'docker') return docker.test(output)
    if (need === 'network') return egress === 'closed' && !needs.includes('docker') && network.test(output)
    return output.split('\n').some((line) => missing.test(line) && isInHome(line))
  }
  const isInHome = (line: string): boolean => line.replaceAll(place, '').includes(`${home}/`)
  const found = (['docker', 'network', 'home'] as const).filter(lacks)
  if (found.length === 0) return null
  const what = found.map((need) => words[need]).join(' and ')
  return `it may lack ${what}, from which it is kept: if it is to have that, set checks.${check}.needs: [${[...needs, ...found].join(', ')}] in ropewalk.yaml`
}

const words: Record<Need, string> = {
  docker: "the machine's containers",
  network: 'the network',
  home: 'files of your home',
}

/** A runner that waits for changes never ends; the word for it, or null. */
export function waitsForChanges(text: string): string | null {
  if (!watching.test(text)) return null
  return 'it waits for changes instead of ending: run it without its watch mode (`vitest run`, `jest` without --watch)'
}

const watching =
  /Waiting for file changes|press [a-z] to (?:quit|show help)|Watch Usage|waiting for changes\.\.\.|Watching for file changes|to quit watch mode/i

export type Category =
  | 'missing symbol'
  | 'syntax'
  | 'type'
  | 'import'
  | 'test'
  | 'build configuration'
  | 'environment'
  | 'timeout'

// The first that fits; a failed import is often also a SyntaxError, so imports come first.
const signs: [Category, RegExp][] = [
  ['environment', /command not found|: not found$|ENOSPC|EACCES|EADDRINUSE|ECONNREFUSED|ENOTFOUND|heap out of memory/m],
  [
    'build configuration',
    /[Mm]issing script|tsconfig\S*\.json|[Uu]nknown (?:option|argument|flag)|[Uu]nrecognized (?:option|argument)|unexpected argument|ENOENT.*package\.json/,
  ],
  [
    'import',
    /Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|does not provide an export|ModuleNotFoundError|ImportError|unresolved import|no required module provides|cannot find package|Failed to resolve import/,
  ],
  [
    'missing symbol',
    /ReferenceError|is not defined|is not a function|NameError|AttributeError|error TS2(?:304|339|305)|undefined: \w|cannot find (?:value|function|type|macro|trait)|no (?:method|function|field) named|has no attribute/,
  ],
  [
    'syntax',
    /SyntaxError|Unexpected token|[Pp]arse error|[Pp]arsing error|IndentationError|error TS1\d{3}\b|expected one of/,
  ],
  ['type', /error TS\d+|TypeError|mismatched types|incompatible type|cannot use .* as .* value/],
  ['timeout', /timed? ?out|ETIMEDOUT|still pending but the event loop/i],
  ['test', /Assert|expected|not ok|FAIL/],
]

/** What kind of failure a text tells of, or null. */
export function categoryOf(text: string): Category | null {
  return signs.find(([, sign]) => sign.test(text))?.[0] ?? null
}

/** What the check runs is not there, or not yet: nothing was checked. */
export const isNotThereYet = ({ message, tail }: { message: string; tail: string }): boolean =>
  /ENOENT|[Mm]issing script|not found|No such file|[Cc]ould not find|no Go files|exit code 127/.test(
    `${message}\n${tail}`,
  )

const mostFindings = 20
const longestEvidence = 4_000

/** What the coder is told about a check that did not pass: what kind of failure, where, and the output. */
export function findingsOf(result: CheckResult, check: string): Finding[] {
  if (result.status === 'pass') return []
  const source = `check:${check}`
  const failures = result.failures.map((failure) => failedTest(failure, result, source))
  const shown = failures.slice(0, mostFindings)
  if (failures.length > shown.length) shown.push(more(failures.length - shown.length, source))
  const told = result.status === 'test-failure' || result.status === 'build-error'
  const all = told && shown.length > 0 ? shown : [asAWhole(result, source), ...shown]
  const { lack } = result
  return lack === undefined ? all : all.map((one) => ({ ...one, evidence: `${one.evidence}\n\n${lack}` }))
}

function failedTest(failure: TestFailure, result: CheckResult, source: string): Finding {
  const bare = categoryOf(failure.error) ?? 'test'
  const category = result.status === 'build-error' ? (categoryOf(result.tail) ?? bare) : bare
  const evidence = [failure.error, failure.stack, result.status === 'build-error' ? result.tail : '']
  return {
    source,
    rule: 'test-failed',
    severity: 'blocking',
    file: failure.file,
    line: failure.line,
    message: `${category}: the test "${failure.test}" failed: ${firstLine(failure.error)}`,
    evidence: cutMiddle(evidence.filter((part) => part !== '').join('\n')),
    fingerprint: hashOf([source, 'test-failed', failure.file, failure.test]),
    fixTarget: fixTargetOf(category),
  }
}

function more(count: number, source: string): Finding {
  const message = `test: ${count} more tests failed`
  return { ...finding(source, 'more-failed', message), fingerprint: hashOf([source, 'more-failed']) }
}

function asAWhole(result: CheckResult, source: string): Finding {
  const category = result.status === 'timeout' ? 'timeout' : (categoryOf(result.tail) ?? 'test')
  return {
    ...finding(source, rules[result.status], `${category}: the check failed: ${result.message}`),
    evidence: cutMiddle(result.tail),
    fingerprint: hashOf([source, result.status, steady(firstError(result.tail))]),
    fixTarget: fixTargetOf(category),
  }
}

const finding = (source: string, rule: string, message: string): Finding => ({
  source,
  rule,
  severity: 'blocking',
  file: null,
  line: null,
  message,
  evidence: '',
  fingerprint: '',
  fixTarget: 'code',
})

const rules: Record<CheckResult['status'], string> = {
  'test-failure': 'check-failed',
  'build-error': 'build-failed',
  timeout: 'check-timeout',
  crash: 'check-crashed',
  'no-tests': 'no-tests',
  pass: 'pass',
}

const fixTargetOf = (category: Category): Finding['fixTarget'] => (category === 'environment' ? 'environment' : 'code')

const firstLine = (text: string): string => (text.split('\n', 1)[0] ?? '').slice(0, 300)

const firstError = (text: string): string => text.split('\n').find((line) => /error|fail/i.test(line)) ?? ''

/** Without what differs from run to run: numbers, durations, temporary paths. */
const steady = (text: string): string => text.replace(/\/tmp\/\S+/g, '').replace(/\d+/g, '#')

function cutMiddle(text: string): string {
  if (text.length <= longestEvidence) return text
  const half = longestEvidence / 2
  return `${text.slice(0, half)}\n… ${text.length - longestEvidence} characters cut …\n${text.slice(-half)}`
}
