import { bold } from '../show/line.ts'
import { verb } from '../verb.ts'

const words = {
  says: 'write a commented ropewalk.yaml for this repository',
  options: { '--force': 'replace the existing file' },
}

/** Writes a commented ropewalk.yaml with what the repository's own files say. Commits nothing. */
export const initVerb = verb(words, async ({ desk, screen }, _, options) => {
  const written = await desk.init(options)
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
})
