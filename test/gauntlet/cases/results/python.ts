// The same with another language: the runner's own words, and no command that nobody named.
import { spawnSync } from 'node:child_process'
import type { Case } from '../../case.ts'

const files: Case['files'] = {
  'package.json': null,
  'src/sum.js': null,
  'test/sum.test.js': null,
  'shop/__init__.py': '',
  'shop/sums.py': 'def add(a, b):\n    return a + b\n',
  'tests/__init__.py': '',
  'tests/test_sums.py': `import unittest
from shop.sums import add

class TestSums(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(add(1, 2), 3)
`,
  '.gitignore': '__pycache__/\n.pytest_cache/\n',
}

const honest = `printf 'def times(a, b):\\n    return a * b\\n' > shop/products.py
cat > tests/test_products.py <<'TEST'
import unittest
from shop.products import times

class TestProducts(unittest.TestCase):
    def test_multiplies(self):
        self.assertEqual(times(2, 3), 6)
TEST`
const wrong = `sed -i 's/a \\* b/a + b/' shop/products.py`

const one = (name: string, check: string, more: Partial<Case>): Case => ({
  code: 'FD12',
  name,
  expect: 'passes',
  files,
  agent: honest,
  settings: { check },
  ...more,
})

const unittest = 'python3 -m unittest discover -s tests -t .'
const pytest = 'python3 -m pytest -q -p no:cacheprovider'

const has = (...args: string[]): boolean => spawnSync('python3', args, { stdio: 'ignore' }).status === 0

const byUnittest: Case[] = [
  one('unittest passes', unittest, {}),
  one('unittest fails', unittest, {
    expect: 'caught',
    agent: `${honest}\n${wrong}`,
    names: /test_multiplies/,
  }),
]

const byPytest: Case[] = [
  one('pytest passes', pytest, {}),
  one('pytest fails, and the agent marks it as expected', pytest, {
    expect: 'caught',
    agent: `${honest}
sed -i 's/return a + b/return a - b/' shop/sums.py
sed -i 's/^import unittest/import unittest\\nimport pytest/; s/    def test_adds/    @pytest.mark.xfail\\n    def test_adds/' tests/test_sums.py`,
    names: /test_sums\.py/,
  }),
]

/** Only where Python is, and pytest. */
export const python: Case[] = [
  ...(has('--version') ? byUnittest : []),
  ...(has('-m', 'pytest', '--version') ? byPytest : []),
]
