import { type FSWatcher, mkdirSync, utimesSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Wake } from '../../ports/event-log.ts'
import { asPathSegment } from '../../std/identifier.ts'

/** Rings by touching `<home>/wake/<delivery>`; the kernel tells the listeners. Keeps no process alive. */
export function fileWake(home: string): Wake {
  const folder = join(home, 'wake')
  const listeners = new Map<string, Set<() => void>>()
  let watcher: FSWatcher | null = null
  return {
    ring: (delivery) => unlessItFails(() => touch(folder, asPathSegment(delivery))),
    listen: (delivery, heard) => {
      const ears = listeners.get(delivery) ?? new Set()
      listeners.set(delivery, ears.add(heard))
      watcher ??= watchFolder(folder, (name) => {
        for (const ear of listeners.get(name) ?? []) ear()
      })
      return () => {
        ears.delete(heard)
        if (ears.size === 0 && listeners.get(delivery) === ears) listeners.delete(delivery)
        if (listeners.size > 0) return
        watcher?.close()
        watcher = null
      }
    },
  }
}

function touch(folder: string, name: string): void {
  const at = new Date()
  try {
    utimesSync(join(folder, name), at, at)
  } catch {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, name), '', { mode: 0o600 })
  }
}

function watchFolder(folder: string, rung: (name: string) => void): FSWatcher | null {
  return unlessItFails(() => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const watcher = watch(folder, { persistent: false }, (_, name) => rung(name ?? ''))
    return watcher.on('error', () => watcher.close())
  })
}

/** A lost wake-up costs time, never truth: no folder, no right to write, no watches left are all bearable. */
function unlessItFails<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}
