import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import type { Command } from '../../../src/ports/shell.ts'

const shell = join(import.meta.dirname, '../../../src/adapters/shell/shell.ts')

/** Another process of ours that runs one command. */
export function program(folder: string, command: Command): string {
  const file = join(folder, 'program.mjs')
  const entry = join(folder, 'entry.ts')
  writeFileSync(
    entry,
    `import { openShell } from ${JSON.stringify(shell)}
     const command = ${JSON.stringify({ ...command, signal: null })}
     openShell({ graceMs: 200 }).run({ ...command, signal: new AbortController().signal }).then(
       (exit) => console.log(exit.reason), (error) => console.log(error.name, error.message))`,
  )
  buildSync({ entryPoints: [entry], bundle: true, platform: 'node', format: 'esm', outfile: file })
  return file
}
