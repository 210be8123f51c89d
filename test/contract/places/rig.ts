// Places with files of their own, as clean places and workspaces are.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export const freshHome = (): string => mkdtempSync(join(tmpdir(), 'ropewalk-pool-'))

export function write(root: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
}

export function placeIn(home: string, name: string, files: Record<string, string>): string {
  const place = join(home, 'places', 'd1', name)
  mkdirSync(place, { recursive: true })
  write(place, files)
  return place
}

export const project = { 'package.json': '{"name":"x"}', 'package-lock.json': '{"packages":{}}', 'src/a.ts': 'a' }

export const never = new AbortController().signal

/** Of a place that nobody counts, and that waits for nobody but those who work. */
export const plain = {
  ...{ mark: 'test:pool', ahead: false, signal: never, longestMs: 60_000, lived: true, seenAt: null },
  enlarge: async (_bytes: number): Promise<void> => {},
  keeping: <T>(_bytes: number, keep: () => Promise<T>): Promise<T | null> => keep(),
}
