import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { productPlaces } from '../../src/adapters/agents/cli/products.ts'
import { openRepositories } from '../../src/adapters/git/repositories.ts'
import { usersEnvironment } from '../../src/adapters/shell/environment.ts'
import { openShell } from '../../src/adapters/shell/shell.ts'
import { secretPlaces, toolPlaces } from '../../src/adapters/shell/users-home.ts'
import { borrowedObjects } from '../../src/ports/repository/workspaces.ts'
import type { Command, Confinement } from '../../src/ports/shell.ts'
import { type Figure, interleaved, ms, timed } from '../figure.ts'

const promisedMs = 30

/** What it costs a check that it is confined and looks like a run of the user's: its place, and its start and end. */
export async function benchConfinement(): Promise<Figure[]> {
  return [await against(20, 'small'), await against(2_000, 'larger')]
}

async function against(files: number, word: string): Promise<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'ropewalk-bench-'))
  const user = userRepository(join(folder, 'user'), files)
  const home = join(folder, 'home')
  const repositories = openRepositories({ home })
  const repository = await repositories.open(await repositories.find(user))
  const commit = await repository.fetchTarget('main')
  const shell = openShell()
  const place = join(home, 'places/d/one')
  const checked = async (confined: boolean): Promise<number> => {
    // As from the second check on: what an earlier place has left is there.
    await repository.exportTree(commit, place)
    const time = await timed(async () => {
      if (confined) await repository.dressPlace({ path: place, commit, branch: 'main' })
      await shell.run(
        commandIn(place, confined ? confinement({ home, user, place, objects: repository.objectsFolder }) : null),
      )
    })
    await repository.leavePlace(place)
    return time
  }
  const { ours, bare } = await interleaved({ ours: () => checked(true), bare: () => checked(false) })
  rmSync(folder, { recursive: true, force: true })
  const more = ours! - bare!
  return {
    name: `a check that does nothing, confined and in a place that looks like the user's checkout (${files} files: ${word})`,
    ours: ms(ours!),
    bare: ms(bare!),
    ratio: `${more.toFixed(0)} ms more`,
    promised: `at most ${promisedMs} ms more`,
    kept: more <= promisedMs,
  }
}

interface There {
  home: string
  user: string
  place: string
  objects: string
}

const confinement = ({ home, user, place, objects }: There): Confinement => ({
  ...{ write: [], show: [], guard: [], network: true },
  ...{ bare: [homedir()], kept: toolPlaces(homedir()) },
  hide: [home, ...secretPlaces({ home, userHome: homedir(), env: {}, agents: productPlaces({}) })],
  guise: {
    elsewhere: [
      { from: place, at: user, write: true },
      { from: objects, at: join(user, borrowedObjects), write: false },
    ],
  },
})

const commandIn = (cwd: string, confine: Confinement | null): Command => ({
  ...{ cwd, confine, run: { line: 'test -f src/0.txt' }, env: usersEnvironment(process.env, {}), input: '' },
  ...{ mark: 'bench:confinement', timeoutMs: 60_000, idleTimeoutMs: null, isWaiting: null, done: null },
  ...{ signal: new AbortController().signal, spool: null, onLine: null, onStart: null },
})

function userRepository(path: string, files: number): string {
  mkdirSync(join(path, 'src'), { recursive: true })
  for (let index = 0; index < files; index++) writeFileSync(join(path, 'src', `${index}.txt`), `${index}\n`)
  const line = `git init -qb main && git config user.name a && git config user.email a@b && git add -A && git commit -qm first`
  execFileSync('sh', ['-c', line], { cwd: path })
  return path
}
