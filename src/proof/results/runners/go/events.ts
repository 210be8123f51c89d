import type { Report } from '../../check-result.ts'
import { objectOf, parsed, textOf } from '../json.ts'
import { type GoPackage, type Outcome, readBuilds, reportOf } from './package.ts'

const longest = 8_000

/** The events of `go test -json`, one on each line; what could not be built may stand between them as text. */
export function readEvents(text: string): Report[] {
  const packages = new Map<string, GoPackage & { ended: boolean }>()
  const builds = readBuilds(text)
  const span = { from: -1, to: 0 }
  const lines: RegExpExecArray[] = []
  let at = 0
  for (const line of text.split('\n')) {
    const event = /^\{.*"Action":"/.test(line) ? objectOf(parsed(line)) : {}
    const unbuilt = /^FAIL\t(\S+) (\[(?:build|setup) failed\])$/.exec(line)
    if (typeof event.Action === 'string' || (unbuilt !== null && span.from !== -1)) {
      if (span.from === -1) span.from = at
      span.to = at + line.length
    }
    if (typeof event.Action === 'string') take(event, packages, builds)
    else if (unbuilt !== null) lines.push(unbuilt)
    at += line.length + 1
  }
  if (packages.size === 0) return []
  for (const [, name, remark] of lines)
    Object.assign(packageOf(packages, name!), { outcome: 'fail', remark, ended: true })
  const whole = reportOf([...packages.values()], span, builds)
  const lost = [...packages.values()].find((one) => !one.ended)
  if (lost === undefined) return [whole]
  return [{ ...whole, complete: false, summarised: false, problem: `there is no result of ${lost.name}` }]
}

function packageOf<Found extends GoPackage & { ended: boolean }>(packages: Map<string, Found>, name: string): Found {
  const known = packages.get(name)
  if (known !== undefined) return known
  const fresh = { name, outcome: 'skip', remark: '', tests: new Map(), output: '', ended: false } as unknown as Found
  packages.set(name, fresh)
  return fresh
}

function take(
  event: Record<string, unknown>,
  packages: Map<string, GoPackage & { ended: boolean }>,
  builds: Map<string, string>,
): void {
  const [action, name, test] = [textOf(event.Action), textOf(event.Package), textOf(event.Test)]
  if (action === 'build-output') return keepBuild(builds, textOf(event.ImportPath), textOf(event.Output))
  if (name === '') return
  const one = packageOf(packages, name)
  if (test !== '' && !one.tests.has(test)) one.tests.set(test, { outcome: null, output: '' })
  const place = test === '' ? one : one.tests.get(test)!
  if (action === 'output') {
    const line = textOf(event.Output)
    const remark = test === '' ? /\[(?:build|setup) failed\]|\[no test\w*[\w ]*\]/.exec(line)?.[0] : undefined
    if (remark !== undefined) one.remark = remark
    if (place.output.length < longest && !/^\s*(?:=== |--- (?:PASS|FAIL|SKIP): )/.test(line)) place.output += line
  } else if (action === 'pass' || action === 'fail' || action === 'skip') {
    place.outcome = action satisfies Outcome
    if (test === '') one.ended = true
    if (typeof event.FailedBuild === 'string') one.remark = '[build failed]'
  }
}

function keepBuild(builds: Map<string, string>, path: string, line: string): void {
  const name = path.split(' ')[0]!
  const before = builds.get(name) ?? ''
  if (before.length < longest && !line.startsWith('# ')) builds.set(name, before + line)
}
