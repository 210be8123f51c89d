// The build, types, lint, and all tests against the built binary; it installs nothing. The real agents have a script of
// their own, test-agents.mjs. Arguments go to the tests. The totals are the last line.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'ropewalk-test-'))
const report = join(folder, 'report.json')
const stages = [
  ['build', 'node', ['scripts/build.mjs']],
  ['types', 'tsc', ['--noEmit']],
  ['lint', 'biome', ['check', '.']],
]
const given = process.argv.slice(2)
const reporters = ['default', 'json', './test/cost/report.ts'].map((name) => `--reporter=${name}`)
reporters.push(`--outputFile.json=${report}`)

const broken = stages.filter(([name, program, args]) => !succeeds(name, program, args))
const green = succeeds('tests', 'vitest', ['run', '--project=!agents', ...reporters, ...given])
const { passed, failed } = countTests()
rmSync(folder, { recursive: true, force: true })

for (const [name] of broken) console.log(`failed: ${name}`)
const total = broken.length + (green ? failed : Math.max(failed, 1))
console.log(`${passed} passed, ${total} failed`)
process.exitCode = total === 0 ? 0 : 1

function succeeds(name, program, args) {
  console.log(`\n== ${name}`)
  const path = program === 'node' ? process.execPath : join('node_modules', '.bin', program)
  return spawnSync(path, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0
}

/** A file that could not even be loaded has no tests to count; it is one failure. */
function countTests() {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
    const unloaded = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
    return { passed: numPassedTests, failed: numFailedTests + unloaded.length }
  } catch {
    return { passed: 0, failed: 0 }
  }
}
