/** How one process tells another that a delivery's log has grown. A lost wake-up costs time, never truth. */
export interface Wake {
  /** Tells whoever drives or watches this delivery. Never throws. */
  ring(delivery: string): void
  /** Calls back on each ring, from this process or another, until the returned function is called. */
  listen(delivery: string, heard: () => void): () => void
}
