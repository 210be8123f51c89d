import { describe, expect, it } from 'vitest'
import { isNearAddress, openWeb } from '../../../src/adapters/web/web.ts'
import type { WebBounds } from '../../../src/ports/web.ts'
import { selfSignedServer, strangeServer } from './strange-server.ts'

const bounds = (changes: Partial<WebBounds> = {}): WebBounds => ({
  reach: 'any',
  timeoutMs: 5_000,
  mostBytes: 512 * 1024,
  redirects: 3,
  signal: new AbortController().signal,
  ...changes,
})

const read = (address: string, changes: Partial<WebBounds> = {}) => openWeb().read(address, bounds(changes))
const textOf = (page: Awaited<ReturnType<typeof read>>): string =>
  page.status === 'read' ? Buffer.from(page.bytes).toString('utf8') : page.why

describe('an address', () => {
  it('is read, and says what it is', async () => {
    const server = await strangeServer()
    const page = await read(server.at('/spec.md'))
    expect(page).toMatchObject({ status: 'read', type: 'text/markdown', charset: 'utf-8', whole: true })
    expect(textOf(page)).toBe('This is what the specification says.\n')
    expect(page).toMatchObject({ address: server.at('/spec.md') })
  })

  it('is asked for by GET, without anything that says who asks', async () => {
    const server = await strangeServer()
    await read(server.at('/cookie'))
    expect(server.asked).toEqual(['GET /cookie', 'GET /spec.md'])
    expect(Object.keys(server.headers[1]!).toSorted()).toEqual([
      ...['accept', 'accept-encoding', 'connection', 'host', 'user-agent'],
    ])
  })

  it.each(['/gzip', '/deflate', '/br'])('is unpacked: %s', async (path) => {
    const server = await strangeServer()
    expect(textOf(await read(server.at(path)))).toBe('This is what the specification says.\n')
  })

  it('is read as far as it may, however much comes out of it', async () => {
    const server = await strangeServer()
    for (const path of ['/bomb', '/endless']) {
      const page = await read(server.at(path), { mostBytes: 1_000 })
      expect(page).toMatchObject({ status: 'read', whole: false })
      expect(textOf(page)).toHaveLength(1_000)
    }
  })

  it.each([
    ['/none', 'it answers 404'],
    ['/error', 'it answers 500'],
    ['/unknown-packing', 'it is packed in a way that is not known'],
    ['/wrong-packing', 'the answer cannot be unpacked (Z_DATA_ERROR)'],
    ['/half-packed', 'the answer broke off'],
    ['/broken-off', 'the connection broke off'],
    ['/no-http', 'the answer is no HTTP (HPE_INVALID_CONSTANT)'],
    ['/long-head', 'the head of the answer is too long'],
    ['/round', 'it leads on more than 3 times'],
    ['/nowhere', 'it leads elsewhere, and it is no address that can be read'],
    ['/file', 'it leads elsewhere, and only http and https are read'],
    ['/password', 'it leads elsewhere, and addresses with a name or password are not read'],
  ])('that gives nothing has a reason: %s', async (path, why) => {
    const server = await strangeServer()
    expect(await read(server.at(path))).toEqual({ status: 'unreachable', why })
  })

  it.each(['/silent', '/slow'])('has its time, in all: %s', async (path) => {
    const server = await strangeServer()
    const why = 'there was no whole answer within 1 s'
    expect(await read(server.at(path), { timeoutMs: 300 })).toEqual({ status: 'unreachable', why })
  })

  it('is let go when nobody wants it any more', async () => {
    const server = await strangeServer()
    const gone = new AbortController()
    const reading = read(server.at('/silent'), { signal: gone.signal })
    gone.abort()
    const why = 'reading it was broken off'
    expect(await reading).toEqual({ status: 'unreachable', why })
    expect(await read(server.at('/spec.md'), { signal: gone.signal })).toEqual({ status: 'unreachable', why })
  })

  it('has a certificate that somebody vouches for', async () => {
    const server = await strangeServer()
    expect(textOf(await read(await selfSignedServer()))).toMatch(/^its certificate is not trusted \(/)
    expect(textOf(await read(server.at('/').replace('http:', 'https:')))).toMatch(/^no secure connection came about/)
  })

  it('is on a host that is there', async () => {
    expect(textOf(await read('http://127.0.0.1:1/'))).toBe('its host refuses the connection')
    expect(textOf(await read('http://nobody.invalid/'))).toMatch(
      /^(there is no such host|its host could not be looked)/,
    )
    expect(textOf(await read('http://'))).toBe('it is no address that can be read')
    expect(textOf(await read('http://ada:pass@127.0.0.1/'))).toBe('addresses with a name or password are not read')
  })
})

describe('of the public network', () => {
  const refused = 'it is an address of this machine or its network'
  /** As if one address of this machine were of the public network, and another were not. */
  const here = { isNear: (address: string) => address === '127.0.0.2', isWebPort: () => true }

  it.each([
    ...['127.0.0.1', 'localhost', '[::1]', '10.1.2.3', '192.168.0.1', '172.20.1.1', '169.254.169.254'],
    ...['100.100.100.200', '0.0.0.0', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '[fd00:ec2::254]', '[fe80::1]'],
    ...['[64:ff9b::7f00:1]', '[2002:7f00:1::]', '224.0.0.1', '255.255.255.255', '168.63.129.16', '[::]'],
  ])('is not %s', async (host) => {
    expect(await read(`http://${host}/`, { reach: 'public' })).toEqual({ status: 'unreachable', why: refused })
  })

  it.each(['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '172.32.0.1', '100.128.0.1', '2a00:1450::1'])(
    'is %s',
    (address) => {
      expect(isNearAddress(address)).toBe(false)
    },
  )

  it('are only the ports of web servers', async () => {
    expect(textOf(await read('http://1.1.1.1:22/', { reach: 'public' }))).toBe('port 22 is not one of the public web')
  })

  it('is what a name leads to when it is connected to, not a moment before or after', async () => {
    const server = await strangeServer()
    const led: string[] = []
    const leadsTo = ['127.0.0.1', '127.0.0.2']
    const web = openWeb({
      ...here,
      async resolve(host) {
        led.push(host)
        return [{ address: leadsTo.shift() ?? '127.0.0.2', family: 4 }]
      },
    })
    const address = `http://spec.example:${server.port}/spec.md`
    expect(textOf(await web.read(address, bounds({ reach: 'public' })))).toBe('This is what the specification says.\n')
    expect(server.headers[0]).toMatchObject({ host: `spec.example:${server.port}` })
    expect(textOf(await web.read(address, bounds({ reach: 'public' })))).toBe(refused)
    expect(led).toEqual(['spec.example', 'spec.example'])
  })

  it('is left by no redirect', async () => {
    const server = await strangeServer()
    const known: Record<string, string> = { 'spec.example': '127.0.0.1', 'inner.example': '127.0.0.2' }
    const web = openWeb({ ...here, resolve: async (host) => [{ address: known[host] ?? host, family: 4 }] })
    for (const to of ['http://inner.example/spec.md', 'http://127.0.0.2/spec.md']) {
      const page = await web.read(`http://spec.example:${server.port}/to?at=${to}`, bounds({ reach: 'public' }))
      expect(textOf(page)).toBe('it leads to an address of this machine or its network')
    }
    expect(server.asked).toHaveLength(2)
  })

  it('is not reached where one of the addresses of a name is near', async () => {
    const addresses = [
      { address: '1.1.1.1', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
    const web = openWeb({ ...here, resolve: async () => addresses, isNear: isNearAddress })
    expect(textOf(await web.read('http://both.example/', bounds({ reach: 'public' })))).toBe(refused)
  })
})
