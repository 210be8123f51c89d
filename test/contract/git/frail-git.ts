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
  /** Counted as if none of them died: whoever asks again does not move the others. */
  diesAt(...deaths: Death[]): void
  /** Whom it was asked for when it died. One that stays has done its work at the end, when nobody hears of it. */
  died(): string[]
}

export interface Death {
  place: number
  moment: Moment
}

export function frailGit(): FrailGit {
  const real = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const folder = temporaryFolder()
  const [count, plan] = [join(folder, 'count'), join(folder, 'plan')]
  let planned: Death[] = []
  writeFileSync(plan, '')
  writeFileSync(join(folder, 'git'), script({ real, count, plan }))
  chmodSync(join(folder, 'git'), 0o755)
  const commands = (): string[] => (existsSync(count) ? readFileSync(count, 'utf8').split('\n').slice(0, -1) : [])
  return {
    folder,
    commands,
    asked: () => commands().length,
    diesAt(...deaths) {
      const inOrder = deaths.toSorted((one, other) => one.place - other.place)
      planned = inOrder.map(({ place, moment }, at) => ({ place: place + at, moment }))
      writeFileSync(plan, planned.map(({ place, moment }) => `${place} ${moment}\n`).join(''))
    },
    died: () =>
      planned.flatMap(({ place, moment }) => {
        const command = commands()[place - 1] ?? ''
        return command === '' || (moment === 'after' && stays.test(command)) ? [] : [command]
      }),
  }
}

const stays = /(?:--batch-command|--stdin) *$/

/** Some for each walk, as far from each other as can be: each has come to its end before the next. */
export function shares(deaths: Death[]): Death[][] {
  const count = Math.ceil(deaths.length / perWalk)
  return Array.from({ length: count }, (_, share) => deaths.filter((_death, at) => at % count === share))
}

const perWalk = 5

/** Git is started as the head of a group of its own, so it can end all of it. In the middle: once it has written a lock, or after a moment. */
const script = ({ real, count, plan }: { real: string; count: string; plan: string }): string => `#!/bin/sh
exec 9>> "${count}"; flock 9
set -f; { printf '%s ' $*; echo; } >&9
asked=0; [ ! -e "${count}er" ] || read -r asked < "${count}er"
asked=$((asked + 1)); echo $asked > "${count}er"
exec 9>&-
moment=; while read -r place at; do [ "$place" != $asked ] || moment=$at; done < "${plan}"
case $moment in
'') exec "${real}" "$@" ;;
before) kill -9 $$ ;;
after) "${real}" "$@"; kill -9 $$ ;;
in) exec 3<&0; "${real}" "$@" <&3 & sleep 0.004; kill -9 $! $$ ;;
esac
`
