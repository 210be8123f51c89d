import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request as plainRequest, type RequestOptions } from 'node:http'
import { request as secureRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Web, WebBounds, WebPage } from '../../ports/web.ts'

interface Resolved {
  address: string
  family: number
}

interface Network {
  resolve(host: string): Promise<Resolved[]>
  isNear(address: string): boolean
  isWebPort(port: string): boolean
}

/** Other services than web servers are on other ports, and none of them is asked for what a stranger wrote. */
const webPorts = ['', '80', '443', '8080', '8443']

const machine: Network = {
  resolve: (host) => lookup(host, { all: true }),
  isNear: isNearAddress,
  isWebPort: (port) => webPorts.includes(port),
}

/** By Node's own client, on a connection for each request that nobody else uses. */
export function openWeb(network: Network = machine): Web {
  return {
    async read(address, bounds) {
      const late = AbortSignal.timeout(bounds.timeoutMs)
      const signal = AbortSignal.any([late, bounds.signal])
      const seconds = Math.ceil(bounds.timeoutMs / 1000)
      try {
        signal.throwIfAborted()
        return await unless(signal, follow(network, address, { ...bounds, signal }))
      } catch (error) {
        if (late.aborted) return unreachable(`there was no whole answer within ${seconds} s`)
        return unreachable(bounds.signal.aborted ? 'reading it was broken off' : whyOf(error))
      }
    },
  }
}

/** A look-up cannot be called back, but nobody has to wait for it. */
async function unless<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return await Promise.race([promise, aborted])
}

const unreachable = (why: string): WebPage => ({ status: 'unreachable', why })

async function follow(network: Network, address: string, bounds: WebBounds): Promise<WebPage> {
  let url = urlOf(address)
  for (let led = 0; ; led += 1) {
    const refused = url === null ? 'it is no address that can be read' : refusalOf(url)
    if (url === null || refused !== null)
      return unreachable(led === 0 ? refused! : `it leads elsewhere, and ${refused}`)
    const found = await resolved(network, url)
    if (bounds.reach === 'public' && found.some((one) => network.isNear(one.address)))
      return unreachable(`${led === 0 ? 'it is' : 'it leads to'} an address of this machine or its network`)
    if (bounds.reach === 'public' && !network.isWebPort(url.port))
      return unreachable(`port ${url.port} is not one of the public web`)
    const answer = await get(url, found, bounds.signal)
    const target = redirectOf(answer, url)
    if (target === null) return await pageOf(answer, url, bounds)
    answer.destroy()
    if (led >= bounds.redirects) return unreachable(`it leads on more than ${bounds.redirects} times`)
    if (url.protocol === 'https:' && target?.protocol === 'http:')
      return unreachable('it leads from a secure address to one that is not')
    url = target ?? null
  }
}

function urlOf(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null
}

function refusalOf({ protocol, username, password }: URL): string | null {
  if (protocol !== 'http:' && protocol !== 'https:') return 'only http and https are read'
  if (username !== '' || password !== '') return 'addresses with a name or password are not read'
  return null
}

/** Looked up once: what is checked is what is connected to, whatever the name leads to a moment later. */
async function resolved(network: Network, { hostname }: URL): Promise<Resolved[]> {
  return await network.resolve(hostname.replace(/^\[(.*)\]$/, '$1'))
}

async function get(url: URL, found: Resolved[], signal: AbortSignal): Promise<IncomingMessage> {
  const options: RequestOptions & { rejectUnauthorized: boolean } = {
    method: 'GET',
    // No other request's connection, and no proxy of the environment.
    agent: false,
    lookup: pinned(found),
    rejectUnauthorized: true,
    signal,
    headers: {
      'user-agent': 'ropewalk',
      accept: 'text/markdown, text/html, text/plain, application/json, application/yaml, */*;q=0.5',
      'accept-encoding': 'gzip, deflate, br',
    },
  }
  const ask = url.protocol === 'https:' ? secureRequest : plainRequest
  return await new Promise((answer, fail) => {
    const asked = ask(url, options, answer)
    asked.on('error', fail)
    asked.end()
  })
}

const pinned =
  (found: Resolved[]): LookupFunction =>
  (_, { all }, done) => {
    const [first] = found
    if (first === undefined) done(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 0)
    else if (all === true) done(null, found)
    else done(null, first.address, first.family)
  }

/** Null: it leads nowhere else. Undefined: to something that is no address. */
function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: URL): URL | null | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) return null
  return URL.canParse(headers.location, from.href) ? new URL(headers.location, from) : undefined
}

async function pageOf(answer: IncomingMessage, url: URL, bounds: WebBounds): Promise<WebPage> {
  const { statusCode = 0, headers } = answer
  try {
    if (statusCode < 200 || statusCode > 299) return unreachable(`it answers ${statusCode}`)
    const body = await bodyOf(answer, bounds.mostBytes)
    if (body === null) return unreachable('it is packed in a way that is not known')
    const kind = headers['content-type'] ?? ''
    const type = /^\s*([\w.+-]{1,60}\/[\w.+-]{1,60})/.exec(kind)?.[1]?.toLowerCase() ?? ''
    const charset = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(kind)?.[1] ?? null
    return { status: 'read', address: url.href, type, charset, ...body }
  } finally {
    answer.destroy()
  }
}

/** As much of an answer's body as is wanted, unpacked piece by piece, so that little does not become much. Null: unknown packing. */
async function bodyOf(
  answer: IncomingMessage,
  mostBytes: number,
): Promise<{ bytes: Uint8Array; whole: boolean } | null> {
  const packing = (answer.headers['content-encoding'] ?? '').trim().toLowerCase()
  const unpacker = unpackers.get(packing)
  if (unpacker === undefined) return null
  // What goes wrong on the way is thrown where the pieces are read.
  const body = unpacker === null ? answer : pipeline(answer, unpacker(), () => {})
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes > mostBytes) break
  }
  return { bytes: Buffer.concat(pieces).subarray(0, mostBytes), whole: bytes <= mostBytes }
}

const unpackers = new Map<string, (() => NodeJS.ReadWriteStream) | null>([
  ['', null],
  ['identity', null],
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** Why an address was not read, in words; an error's own message may quote what a stranger sent. */
function whyOf(error: unknown): string {
  const { code = '', name = '' } = error as { code?: string; name?: string }
  if (known[code] !== undefined) return known[code]
  if (/CERT|SIGNATURE|ISSUER|ALTNAME/.test(code)) return `its certificate is not trusted (${code})`
  if (/^(?:EPROTO|ERR_SSL|ERR_TLS)/.test(code)) return `no secure connection came about (${code})`
  if (code.startsWith('HPE_')) return `the answer is no HTTP (${code})`
  if (code.startsWith('Z_') || code.startsWith('ERR_BROTLI') || code.startsWith('ERR__ERROR'))
    return `the answer cannot be unpacked (${code})`
  return `it could not be read (${code || name || 'unknown'})`
}

const known: Record<string, string> = {
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its host could not be looked up just now',
  ECONNREFUSED: 'its host refuses the connection',
  ECONNRESET: 'the connection broke off',
  EPIPE: 'the connection broke off',
  ERR_STREAM_PREMATURE_CLOSE: 'the connection broke off',
  Z_BUF_ERROR: 'the answer broke off',
  EHOSTUNREACH: 'there is no way to its host',
  ENETUNREACH: 'there is no way to its host',
  ETIMEDOUT: 'its host does not answer',
  HPE_HEADER_OVERFLOW: 'the head of the answer is too long',
}

/** Whether an address is of this machine, of its network, or of nobody: all that the public network does not lead to. */
export function isNearAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return near.check(address, 'ipv4')
    case 6:
      return !worldwide.check(address, 'ipv6') || near.check(address, 'ipv6')
    default:
      return true
  }
}

const near = new BlockList()
// The last is where Azure answers its machines; the other clouds do so at 169.254.169.254, or in ranges of these.
const ranges4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '168.63.129.16/32'],
]
// Of what is worldwide: tunnels, which hide another address, and what is only for documents.
const ranges6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

/** Loopback, unique-local, link-local, multicast, mapped and translated addresses are all outside of it. */
const worldwide = new BlockList()
worldwide.addSubnet('2000::', 3, 'ipv6')

for (const range of ranges4) add(range, 'ipv4')
for (const range of ranges6) add(range, 'ipv6')

function add(range: string, family: 'ipv4' | 'ipv6'): void {
  const [net = '', prefix] = range.split('/')
  near.addSubnet(net, Number(prefix), family)
}
