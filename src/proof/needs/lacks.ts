import type { Need } from '../../delivery/policy.ts'

/** What a confined command was kept from. */
export interface Confined {
  check: string
  needs: readonly Need[]
  egress: 'open' | 'closed'
  /** The user's home, which was empty for it. */
  home: string
  /** Where it ran, as it saw it. */
  place: string
}

const docker =
  /Cannot connect to the Docker daemon|docker(?:\.sock| daemon)|podman\.sock|Could not find a working container runtime/i
const network =
  /ENOTFOUND|EAI_AGAIN|ENETUNREACH|Network is unreachable|name resolution|Could not resolve host|no such host|Failed to establish a new connection/i
const missing = /ENOENT|EACCES|EROFS|No such file|not found|does not exist|Read-only file system|Permission denied/i

/** What a failing command seems to have lacked because it was confined, and how it is allowed; null: nothing tells of that. */
export function lackOf(output: string, { check, needs, egress, home, place }: Confined): string | null {
  const lacks = (need: Need): boolean => {
    if (needs.includes(need)) return false
    if (need === 'docker') return docker.test(output)
    if (need === 'network') return egress === 'closed' && !needs.includes('docker') && network.test(output)
    return output.split('\n').some((line) => missing.test(line) && isInHome(line))
  }
  const isInHome = (line: string): boolean => line.replaceAll(place, '').includes(`${home}/`)
  const found = (['docker', 'network', 'home'] as const).filter(lacks)
  if (found.length === 0) return null
  const what = found.map((need) => words[need]).join(' and ')
  return `it may lack ${what}, from which it is kept: if it is to have that, set checks.${check}.needs: [${[...needs, ...found].join(', ')}] in ropewalk.yaml`
}

const words: Record<Need, string> = {
  docker: "the machine's containers",
  network: 'the network',
  home: 'files of your home',
}
