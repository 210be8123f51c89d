import type { Cli } from '../cli.ts'
import { bold } from '../show/line.ts'

interface InitOptions {
  force?: boolean
}

/** Writes a commented ropewalk.yaml with what the repository's own files say. Commits nothing. */
export async function initVerb({ desk, screen }: Cli, _: string[], options: InitOptions): Promise<number> {
  const written = await desk.init({ force: options.force === true })
  const { path, stacks, checks } = written
  screen.show(written, () => [
    `Wrote ${path}${stacks.length === 0 ? '' : ` for ${stacks.join(', ')}`}.`,
    ...(checks.length === 0
      ? [
          'No checks were found. Name the command that proves the work under `checks:`.',
          'It need not work yet: the first story may set it up if its plan declares the files under mayChange.',
        ]
      : checks.map((check) => `  check ${check.name}: ${check.run}`)),
    [
      ...['Next: ', bold('ropewalk agents'), ' shows who can write the code. Then run '],
      ...[bold('ropewalk doctor'), ', and commit the file.'],
    ],
  ])
  return 0
}
