import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TerminalError } from '../../ports/errors.ts'
import type { RootFiles } from '../../settings/proposal/detect.ts'
import { detectStack } from '../../settings/proposal/detect.ts'
import { renderConfig } from '../../settings/proposal/render.ts'
import { configName } from '../prepare/settings-layers.ts'
import { bold } from '../show/line.ts'
import type { Cli } from '../world.ts'

export interface InitOptions {
  force?: boolean
}

/** Writes a commented ropewalk.yaml with what the repository's own files say. Commits nothing. */
export async function init({ world, cwd, screen }: Cli, options: InitOptions): Promise<number> {
  const repositories = await world.repositories(world.home)
  const { path: root, id } = await repositories.find(cwd)
  const path = join(root, configName)
  if (existsSync(path) && options.force !== true)
    throw new TerminalError(`${path} is there already`, 'edit it, or write it anew with --force')
  const { branch } = await (await repositories.open({ id, path: root })).checkout()
  const detected = detectStack(rootFiles(root))
  writeFileSync(path, renderConfig(detected, { target: branch ?? 'main' }))
  if (screen.json) screen.emit({ path, ...detected })
  else
    screen.print(
      `Wrote ${path}${detected.stacks.length === 0 ? '' : ` for ${detected.stacks.join(', ')}`}.`,
      ...(detected.checks.length === 0
        ? [
            'No checks were found: name under `checks:` the command that is to prove the work.',
            'It need not work yet: the first story may set it up, if its plan declares the files under mayChange.',
          ]
        : detected.checks.map((check) => `  check ${check.name}: ${check.run}`)),
      [
        'Next: ',
        bold('ropewalk agents'),
        ' shows who can write the code. Then ',
        bold('ropewalk doctor'),
        ', and commit the file.',
      ],
    )
  return 0
}

const largestBytes = 1_000_000

/** What lies at the root; only the small files are read, and only their names matter for the others. */
function rootFiles(root: string): RootFiles {
  const files: RootFiles = {}
  for (const name of readdirSync(root).slice(0, 1000)) {
    const stat = statSync(join(root, name), { throwIfNoEntry: false })
    if (stat?.isFile()) files[name] = stat.size > largestBytes ? '' : readFileSync(join(root, name), 'utf8')
  }
  return files
}
