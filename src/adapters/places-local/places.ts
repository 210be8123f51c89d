import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { diskFull } from '../../ports/errors.ts'
import type { PlacePaths } from '../../ports/holdings.ts'
import { isDiskFull } from '../../std/files.ts'
import { asPathSegment } from '../../std/identifier.ts'
import { invariant } from '../../std/never.ts'

/** The places under our home on this machine. Only we can enter them. */
export function localPlaces(home: string): PlacePaths {
  return {
    workspace(delivery, story, attempt) {
      invariant(Number.isSafeInteger(attempt) && attempt >= 0, `an attempt is a number, not ${attempt}`)
      return below(home, ['workspaces', asPathSegment(delivery), `${asPathSegment(story)}-${attempt}`])
    },
    clean(delivery, step) {
      const path = below(home, ['places', asPathSegment(delivery), asPathSegment(step)])
      rmSync(path, { recursive: true, force: true })
      return path
    },
    cleanFolder: (delivery) => join(home, 'places', asPathSegment(delivery)),
    spool: (delivery, name) => below(home, ['spools', asPathSegment(delivery), asPathSegment(name)]),
    result: (delivery, name) => below(home, ['results', asPathSegment(delivery), asPathSegment(name)]),
  }
}

function below(home: string, segments: string[]): string {
  const path = join(home, ...segments)
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  } catch (error) {
    throw isDiskFull(error) ? diskFull(error) : error
  }
  return path
}
