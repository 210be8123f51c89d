// For the tests of this room: files of a diff in one line each.
import type { Change } from '../../src/proof/files/change.ts'

/** Added without a text before, deleted without one after. */
export const changed = (path: string, before: string | null, after: string | null): Change => ({
  path,
  oldPath: null,
  status: before === null ? 'added' : after === null ? 'deleted' : 'modified',
  binary: false,
  oldMode: before === null ? null : '100644',
  newMode: after === null ? null : '100644',
  before,
  after,
})

export const renamed = (oldPath: string, path: string, text: string): Change => ({
  ...changed(path, text, text),
  oldPath,
  status: 'renamed',
})
