import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileBlobs } from '../../src/adapters/blobs-files/blobs.ts'
import { openRepositories } from '../../src/adapters/git/repositories.ts'
import { localPlaces } from '../../src/adapters/places-local/places.ts'
import { openRedactor } from '../../src/adapters/shell/redaction.ts'
import { basisOf, briefingOf } from '../../src/delivery/inputs/briefing.ts'
import type { Policy } from '../../src/delivery/policy.ts'
import { initialState } from '../../src/delivery/state.ts'
import type { Repository } from '../../src/ports/repository/repository.ts'
import { readerPrompt } from '../../src/roles/interpreter.ts'
import { settingFor } from '../../src/steps/agent/setting.ts'
import { harvestContext } from '../../src/steps/intent/harvest-context.ts'
import type { StepWorld } from '../../src/steps/world.ts'
import { defaults } from '../../test/default-settings.ts'
import { type Figure, median, ms, timed } from '../figure.ts'

const files = 10_000
const text =
  'The total of an invoice is shown with its discount: `roundCents(total)` in src/part7/file107.js returns it'

/** From a requirement to the prompt of its first reader, in a repository of 10,000 files. */
export async function benchContext(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ropewalk-bench-'))
  try {
    const { world, state, repository } = await opened(folder)
    const took: number[] = []
    for (let run = 0; run < 10; run++) took.push(await timed(() => assembled({ world, state, repository })))
    return [
      {
        ...{ name: `context for a requirement in ${files} files, stored and told`, ours: ms(median(took)), bare: '' },
        ...{ ratio: '', promised: 'under 500 ms', kept: median(took) < 500 },
      },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Bench {
  world: StepWorld
  state: ReturnType<typeof initialState>
  repository: Repository
}

async function assembled({ world, state, repository }: Bench): Promise<void> {
  const step = { id: 's', verb: 'HarvestContext', story: null, base: state.request!.base } as const
  const { signal } = new AbortController()
  const work = { world, repository, step, input: basisOf(state), signal }
  const ending = await harvestContext(work as unknown as Parameters<typeof harvestContext>[0])
  if (ending.type !== 'ContextHarvested' || ending.context.items.length < 5) throw new Error('nothing was found')
  state.intent.context = ending.context
  const { text: told } = readerPrompt(
    'interpreter',
    { refuted: [], problems: [] },
    await settingFor({ world, step, try: 1, input: briefingOf(state, { story: null }), repository }, 'interpreter'),
  )
  if (!told.includes('roundCents')) throw new Error('nothing was told')
}

async function opened(folder: string): Promise<Bench> {
  const user = madeRepository(join(folder, 'repository'))
  const home = join(folder, 'home')
  const repositories = openRepositories({ home })
  const found = await repositories.find(user)
  const repository = await repositories.open(found)
  const base = await repository.fetchTarget('main')
  const state = initialState('d1')
  const requirement = { text, source: 'bench', submitter: 'ada' }
  state.request = { requirement, repository: found, target: 'main', base, at: 0, review: null }
  state.policy = { ...defaults, agents: {} } as unknown as Policy
  const world = {
    ...{ repository: async () => repository, blobs: fileBlobs(home), places: localPlaces(home), crashPoint: () => {} },
    ...{ redact: openRedactor({}).redact, memory: { recall: async () => null } },
  } as unknown as StepWorld
  return { world, state, repository }
}

/** Packed, as a clone of what has lived for a while is. */
function madeRepository(path: string): string {
  mkdirSync(path, { recursive: true })
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  git('init', '-q', '-b', 'main')
  git('config', 'gc.auto', '0')
  const put = (name: string, content: string) => {
    mkdirSync(join(path, name, '..'), { recursive: true })
    writeFileSync(join(path, name), content)
  }
  put('README.md', '# Shop\n\nKeeps the invoices of small shops, on their own machine, for as long as they want.\n')
  for (let n = 0; n < files; n++) put(`src/part${n % 100}/file${n}.js`, source(n))
  git('add', '-A')
  git('-c', 'user.name=ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '-m', 'All of it')
  git('repack', '-adq')
  return path
}

const nouns = ['total', 'customer', 'article', 'payment', 'address', 'reminder', 'slip', 'stock', 'order', 'voucher']

const source = (n: number): string =>
  Array.from({ length: 40 }, (_, line) => {
    const name = nouns[(n * 7 + line) % nouns.length]!
    const rare = n % 400 === 0 && line === 3 ? 'roundCents(' : 'plain('
    return `export const ${name}${n}x${line} = (${name}) => ${rare}${name}, ${line})`
  }).join('\n')
