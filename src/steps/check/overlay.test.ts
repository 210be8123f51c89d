import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { overwrite } from './run-check.ts'

it('writes into its own place only, whatever link is in the way', async () => {
  const [place, outside] = ['place', 'outside'].map((name) => mkdtempSync(join(tmpdir(), `ropewalk-${name}-`)))
  writeFileSync(join(outside!, 'all.sh'), 'theirs')
  symlinkSync(outside!, join(place!, 'ci'))
  mkdirSync(join(place!, 'b.sh'))
  for (const path of ['ci/all.sh', 'b.sh']) await overwrite(place!, { path, text: 'ours' })
  expect(readFileSync(join(place!, 'ci/all.sh'), 'utf8')).toBe('ours')
  expect(readFileSync(join(place!, 'b.sh'), 'utf8')).toBe('ours')
  expect(readFileSync(join(outside!, 'all.sh'), 'utf8')).toBe('theirs')
})
