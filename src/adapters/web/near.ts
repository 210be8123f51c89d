import { BlockList, isIP } from 'node:net'

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
