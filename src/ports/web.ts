/**
 * Reads what others have put on an address. GET only, without credentials, cookies or a proxy. Never throws for what the
 * other side does, however it answers; when the signal aborts, it is unreachable at once.
 */
export interface Web {
  read(address: string, bounds: WebBounds): Promise<WebPage>
}

export interface WebBounds {
  /** `public`: nothing of this machine or its network is connected to, also not by a redirect or a name that leads there. */
  reach: 'public' | 'any'
  /** In all, redirects included. */
  timeoutMs: number
  /** After it is unpacked; the rest is not read. */
  mostBytes: number
  redirects: number
  signal: AbortSignal
}

export type WebPage =
  | {
      status: 'read'
      /** Where it was found in the end. */
      address: string
      /** In small letters, without parameters; empty: it does not say. */
      type: string
      /** As it says itself; null: it does not say. */
      charset: string | null
      bytes: Uint8Array
      /** False: there is more of it than was read. */
      whole: boolean
    }
  | { status: 'unreachable'; why: string }
