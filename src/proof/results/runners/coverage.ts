import { objectOf, parseJson } from '../../../std/json.ts'

/** Percent of lines that a coverage report tells of (lcov, or a JSON summary); null when it tells none. */
export function lineCoverage(report: string): number | null {
  const summary = parseJson(report)
  return summary !== null && typeof summary === 'object' ? ofSummary(summary) : ofLcov(report)
}

function ofLcov(report: string): number | null {
  const sum = (key: string): number =>
    [...report.matchAll(new RegExp(`^${key}:(\\d+)\\s*$`, 'gm'))].reduce((total, found) => total + Number(found[1]), 0)
  const [found, hit] = [sum('LF'), sum('LH')]
  return found === 0 ? null : (hit / found) * 100
}

/** As Istanbul (`total.lines.pct`), coverage.py (`totals.percent_covered`) and SimpleCov (`result.line`) write it. */
function ofSummary(summary: object): number | null {
  const told = [
    ['total', 'lines', 'pct'],
    ['totals', 'percent_covered'],
    ['result', 'line'],
  ].map((keys) => at(summary, keys))
  const percent = told.find((value) => typeof value === 'number' && Number.isFinite(value))
  return percent === undefined ? null : (percent as number)
}

const at = (value: unknown, keys: string[]): unknown => keys.reduce((inner, key) => objectOf(inner)[key], value)
