/**
 * Large things by their SHA-256. `put` returns when the bytes are synced, so that an event may name them.
 * Spools are append-only files for output that is still growing; 0600, and without secrets.
 */
export interface Blobs {
  put(content: string | Uint8Array): Promise<string>
  /** Null when it is not there (freed by gc, or never was). */
  get(digest: string): Promise<Uint8Array | null>
  /** Stores a spool file as it is, returns its digest and size. */
  importFile(path: string): Promise<{ digest: string; bytes: number }>
}
