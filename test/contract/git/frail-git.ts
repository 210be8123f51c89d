import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../user-repository.ts'

export type Moment = 'before' | 'in' | 'after'

/** A git that dies by a signal, with all that it has started, at the nth time that somebody asks it. */
export interface FrailGit {
  /** Put first in PATH. */
  folder: string
  /** How often it was asked so far. */
  asked(): number
  /** Whom it was asked for, one line for each time. */
  commands(): string[]
  diesAt(place: number, moment: Moment): void
}

export function frailGit(): FrailGit {
  const real = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const folder = temporaryFolder()
  const [count, plan] = [join(folder, 'count'), join(folder, 'plan')]
  writeFileSync(plan, '0 none\n')
  writeFileSync(join(folder, 'git'), script({ real, count, plan }))
  chmodSync(join(folder, 'git'), 0o755)
  const commands = (): string[] => (existsSync(count) ? readFileSync(count, 'utf8').split('\n').slice(0, -1) : [])
  return {
    folder,
    commands,
    asked: () => commands().length,
    diesAt: (place, moment) => writeFileSync(plan, `${place} ${moment}\n`),
  }
}

/** Git is started as the head of a group of its own, so it can end all of it. In the middle: once it has written a lock, or after a moment. */
const script = ({ real, count, plan }: { real: string; count: string; plan: string }): string => `#!/bin/sh
exec 9>> "${count}"; flock 9
printf '%s\\n' "$(echo "$*" | tr '\\n' ' ')" >&9
asked=$(wc -l < "${count}")
exec 9>&-
read place moment < "${plan}"
[ "$asked" -eq "$place" ] || exec "${real}" "$@"
case $moment in
before) kill -9 $$ ;;
after) "${real}" "$@"; kill -9 $$ ;;
in) exec 3<&0; "${real}" "$@" <&3 & sleep 0.004; kill -9 $! $$ ;;
esac
`
