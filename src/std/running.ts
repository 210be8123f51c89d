import { AsyncLocalStorage } from 'node:async_hooks'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** When a process was started, in the kernel's ticks: with its pid, this tells it from any other. Null: no such process, or no /proc. */
export function bornAt(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name is in parentheses and may contain anything, so fields are counted from the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? null : (fields[19] ?? null)
  } catch {
    return null
  }
}

/** Whether the process of this machine that had the pid has ended. */
export function isGone(pid: number, born: string | null): boolean {
  if (born !== null) return bornAt(pid) !== born
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

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

const heard = new AsyncLocalStorage<(text: string) => void>()

/** Whatever is told while this runs, however deep, is told to the listener: so many may run at once. */
export const listening = <T>(listener: (text: string) => void, act: () => Promise<T>): Promise<T> =>
  heard.run(listener, act)

/** Said to whoever listens; nobody need. */
export const tell = (text: string): void => heard.getStore()?.(text)
