// Checks that end well without having tested anything.
import { named, type Operator, type Operators } from '../deed.ts'

/** A repository whose user has a Makefile without .PHONY. */
const up =
  (target: string, act: string): Operator =>
  (work) => ({
    base: { Makefile: named(work, `${target}:\n\t{{run}}\n`) },
    check: `make ${target}`,
    shell: act,
  })
const script =
  (text: string): Operator =>
  (work) => ({
    base: { 'check.sh': named(work, 'set -e\n{{run}}\n') },
    check: 'sh check.sh',
    files: { 'check.sh': named(work, text) },
  })

export const exit: Operators = {
  'a file named like the target': up('check', 'echo "what to look at" > check'),
  'a folder named like the target': up('verify', 'mkdir verify; echo "what to look at" > verify/README'),
  'a file newer than what it needs': (work) => ({
    base: { Makefile: named(work, 'all: result.txt\n\nresult.txt: Makefile\n\t{{run}}\n') },
    check: 'make all',
    shell: 'echo passed > result.txt',
  }),
  'a step that is done already': (work) => ({
    base: { Makefile: named(work, 'check: .tested\n\t@true\n\n.tested:\n\t{{run}}\n') },
    check: 'make check',
    shell: 'touch .tested',
  }),
  'a stamp that counts': (work) => ({
    base: { 'check.sh': named(work, '[ -e .stamp ] && exit 0\n{{run}}\n') },
    check: 'sh check.sh',
    shell: 'touch .stamp',
  }),
  'a script that says nothing': script('exit 0\n'),
  'a script that swallows': script('{{run}} > /dev/null 2>&1 || true\n'),
  'a script cut short': script('{{run}} | head -n 2\n'),
  'a script that counts for itself': script('{{run}} || echo "3 passed, 0 failed"\n'),
  'a script that floods': script('yes ok | head -c 3000000\n{{run}} || true\nyes ok | head -c 3000000\n'),
  'a script in the background': script('{{run}} > /dev/null 2>&1 &\nwait\necho done\n'),
  'a script with a trap': script('trap "exit 0" EXIT\n{{run}}\n'),
}
