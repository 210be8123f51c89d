// Measured, never asserted: times are noisy, so what counts is the ratio of two sides that ran interleaved.
import { readFile, writeFile } from 'node:fs/promises'
import { benchAgents } from './agents.ts'
import { type Figure, figureTable } from './figure.ts'
import { benchInspection } from './inspection.ts'
import { benchLog } from './log.ts'
import { benchMemory } from './memory.ts'
import { benchPrefix } from './prefix.ts'
import { benchContext } from './prompts/context.ts'
import { benchConfinement } from './proof/confinement.ts'
import { benchShare } from './proof/share.ts'
import { benchSuiteRuns } from './proof/suite-runs.ts'
import { benchScale } from './scale.ts'
import { benchStartup } from './startup.ts'
import { benchTrain } from './train.ts'
import { benchWalk } from './walk.ts'
import { benchWorkspace } from './workspace.ts'

const benches: Record<string, () => Promise<Figure[]>> = {
  startup: benchStartup,
  log: benchLog,
  memory: benchMemory,
  walk: benchWalk,
  scale: benchScale,
  agents: benchAgents,
  train: benchTrain,
  workspace: benchWorkspace,
  inspection: benchInspection,
  confinement: benchConfinement,
  suite: benchSuiteRuns,
  share: benchShare,
  context: benchContext,
  prefix: benchPrefix,
}

const heading = `# Figures

Written by \`npm run bench -- --write\`. Both sides ran interleaved in one run; each figure is the median of 10 runs
unless it says otherwise. Times differ between machines and hours; the ratios are what is promised.

`

const args = process.argv.slice(2)
const chosen = args.filter((arg) => !arg.startsWith('--'))
const figures: Figure[] = []
for (const [name, bench] of Object.entries(benches)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  process.stderr.write(`${name} …\n`)
  figures.push(...(await bench()))
}
const table = figureTable(figures)
process.stdout.write(`${table}\n`)
if (args.includes('--write')) await writeFile('docs/figures.md', `${heading}${table}\n${await written()}`)

/** What people measured by hand stands below, and stays. */
async function written(): Promise<string> {
  const text = await readFile('docs/figures.md', 'utf8')
  const at = text.indexOf('\n## ')
  return at === -1 ? '' : text.slice(at)
}
