import { TerminalError } from '../../ports/errors.ts'
import type { Repository } from '../../ports/repository.ts'
import { loadSettings } from '../../settings/load.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Cli } from '../world.ts'
import { readEverything } from './preflight.ts'
import type { Flags } from './settings-layers.ts'
import { layers, orThrow } from './settings-layers.ts'

export interface SettingsHere {
  settings: Settings
  origins: Record<string, string>
  warnings: string[]
  /** Where agents would be started. */
  root: string
  /** Null: there is no repository here. */
  here: { clone: Repository; base: string } | null
}

/** Outside a repository there are still the user's own settings. */
export async function settingsHere(cli: Cli, flags: Flags): Promise<SettingsHere> {
  const repositories = await cli.world.repositories(cli.world.home)
  const here = await repositories.find(cli.cwd).catch((error: unknown) => {
    if (error instanceof TerminalError) return null
    throw error
  })
  if (here !== null) {
    const { layered, clone } = await readEverything(cli, flags, cli.world.home)
    return { ...layered, root: here.path, here: { clone, base: layered.base } }
  }
  const loaded = orThrow(loadSettings(layers({ userFile: cli.world.userFile, flags }, null)))
  const warnings = ['not in a git repository with a commit: only the user file and defaults are shown']
  return { ...loaded, warnings, root: cli.cwd, here: null }
}
