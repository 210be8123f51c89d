import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'

/** A program of ours as one file, to be started and killed. */
export async function bundled(program: URL): Promise<string> {
  const outfile = join(mkdtempSync(join(tmpdir(), 'ropewalk-program-')), 'program.mjs')
  const entryPoints = [program.pathname]
  await build({ entryPoints, outfile, bundle: true, format: 'esm', platform: 'node' })
  return outfile
}
