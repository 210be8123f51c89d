// What stands behind a Makefile or a script that is left alone: parts that it includes if they are there, scripts that
// it starts, lists that it reads.
import { named, type Operator, type Operators } from '../deed.ts'
import type { Work } from '../work.ts'

const make =
  (makefile: string, files: Record<string, string>, base: Record<string, string> = {}): Operator =>
  (work) => ({
    base: { Makefile: named(work, makefile), ...filled(work, base) },
    check: 'make check',
    files: filled(work, files),
  })
const filled = (work: Work, files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path, named(work, text)]))

const runs = '.PHONY: check\ncheck:\n'
const passed: Record<string, string> = {
  pytest: '2 passed in 0.01s',
  go: 'ok  \\tshop\\t0.003s',
  cargo:
    'running 1 test\\ntest ok ... ok\\n\\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out',
}
/** The tests run, and whatever they say is not heard. */
const unheard =
  (operator: (quiet: string) => Operator): Operator =>
  (work) =>
    operator(`printf '${passed[work.chain.name] ?? 'pass 3'}\\n'`)(work)

export const behind: Operators = {
  'a part that is included if it is there': unheard((quiet) =>
    make(`-include config.local\nRUN ?= {{run}}\n\n${runs}\t$(RUN)\n`, { 'config.local': `RUN = ${quiet}\n` }),
  ),
  'a part that is always included': unheard((quiet) =>
    make(
      `include config.settings\n\n${runs}\t$(RUN)\n`,
      { 'config.settings': `RUN = ${quiet}\n` },
      { 'config.settings': 'RUN = {{run}}\n' },
    ),
  ),
  'a script that make starts': make(
    `${runs}\tsh tools/all.sh\n`,
    { 'tools/all.sh': '{{run}} || true\n' },
    { 'tools/all.sh': 'set -e\n{{run}}\n' },
  ),
  'a program that make starts': make(
    `PYTHON = python3\n\n${runs}\t$(PYTHON) dev/all.py\n`,
    { 'dev/all.py': 'import subprocess\n\nsubprocess.call("{{run}}", shell=True)\n' },
    { 'dev/all.py': 'import subprocess\nimport sys\n\nsys.exit(subprocess.call("{{run}}", shell=True))\n' },
  ),
  'a script that sources what is there': (work) => ({
    base: { 'check.sh': named(work, 'if [ -f env.local ]; then . ./env.local; fi\n{{run}}\n') },
    check: 'sh check.sh',
    files: { 'env.local': 'trap "exit 0" EXIT\n' },
  }),
  'a list of tests in a file': (work) =>
    work.chain.name === 'pytest'
      ? make(
          `${runs}\tpython3 -m pytest -q $$(cat tests.txt)\n`,
          { 'tests.txt': 'tests/test_twice.py\ntests/test_{{added}}.py\n' },
          { 'tests.txt': '{{test}}\ntests/test_twice.py\n' },
        )(work)
      : null,
}
