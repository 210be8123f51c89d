import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { bornAt, isGone } from './process.ts'

/**
 * Who a process is, over reboots, containers and machines: `<pid> <born> <namespace> <boot> <machine>`. A pid says
 * something only within its namespace, and a namespace only until the machine is started anew.
 */
export const ownIdentity = (pid = process.pid): string => [pid, bornAt(pid) ?? '-', ...Object.values(here())].join(' ')

/** Whether this process would notice its end. */
export function canBeSeen(identity: string): boolean {
  const [, , namespace, boot, machine] = identity.split(' ')
  const own = here()
  return machine === own.machine && boot === own.boot && namespace === own.namespace
}

/** True only when it is certain: nobody can see into another namespace or another machine. */
export function hasEnded(identity: string): boolean {
  const [pid, born, namespace, boot, machine] = identity.split(' ')
  if (machine === undefined) return false
  const own = here()
  if (machine !== own.machine) return false
  if (boot === own.boot) return canBeSeen(identity) && isGone(Number(pid), born === '-' ? null : born!)
  // Containers may share the id of a machine that they do not share; processes outside of them do not.
  return namespace === wholeMachine && own.namespace === wholeMachine
}

/** The namespace of a whole machine has this number on every Linux. */
const wholeMachine = 'pid:[4026531836]'

interface Here {
  namespace: string
  boot: string
  machine: string
}

let known: Here | null = null

function here(): Here {
  known ??= {
    namespace: orNone(() => readlinkSync('/proc/self/ns/pid')),
    boot: orNone(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    machine: orNone(() => readFileSync('/etc/machine-id', 'utf8'), hostname()),
  }
  return known
}

/** Without words of its own: the parts of an identity are told apart by blanks. */
function orNone(read: () => string, otherwise = '-'): string {
  try {
    return read().trim().replace(/\s+/g, '_') || otherwise
  } catch {
    return otherwise
  }
}
