/**
 * A local model may think for longer than the five minutes after which `fetch` gives up; whoever supervises us knows
 * better when it is enough. Node has no other door to this than the place where `fetch` looks for its connections.
 */
export function waitForSlowModels(): void {
  // Named once, so that it is there.
  void globalThis.Headers
  const place = Symbol.for('undici.globalDispatcher.1')
  const connections = globalThis as { [place]?: { constructor: Connections } }
  const present = connections[place]
  if (present !== undefined) connections[place] = new present.constructor({ headersTimeout: 0, bodyTimeout: 0 })
}

type Connections = new (options: { headersTimeout: number; bodyTimeout: number }) => { constructor: Connections }
