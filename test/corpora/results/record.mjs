// Records what a command prints as a case: node record.mjs <case.txt> <report path or -> <command>
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

const [file, report, line] = process.argv.slice(2)
if (report !== '-') rmSync(report, { force: true })
const { stdout, stderr, status, signal } = spawnSync('sh', ['-c', line], {
  env: { ...process.env, CI: 'true' },
  timeout: 20_000,
  maxBuffer: 1e9,
})
const place = process.cwd()
const text = (bytes) => bytes.toString('utf8').replaceAll(place, '/place')
const parts = [`exit ${signal ?? status}\n--- stdout\n`, text(stdout), '\n--- stderr\n', text(stderr)]
if (report !== '-' && existsSync(report)) parts.push(`\n--- report ${report}\n`, text(readFileSync(report)))
writeFileSync(file, parts.join(''))
