// Configuration where there was none, and what tests lean on where the product is.
import { type ByChain, pick } from '../chains.ts'
import { isJs, named, type Operator, type Operators } from '../deed.ts'
import { type Work, wrongTable } from '../work.ts'

/** A repository that had no settings of its runner gets some. */
const first =
  (path: ByChain | string, texts: ByChain, gone: Record<string, null> = {}): Operator =>
  (work) => {
    const where = typeof path === 'string' ? path : pick(work.chain, path)
    const text = pick(work.chain, texts)
    if (where === undefined || text === undefined) return null
    return { base: gone, files: { [where]: named(work, text) } }
  }

const noIni = { 'pytest.ini': null }
const leftOut = 'not {{name}}'

/** A repository that keeps the results of its tests beside the product, in a folder that is not named after tests. */
export function withGolden({ chain, style, base }: Work): Record<string, string | null> | null {
  if (style !== 'fixture' || !(isJs(chain) || chain.name === 'pytest')) return null
  const moved = Object.entries(base).flatMap(([path, text]) =>
    text.includes(chain.fixture) ? [[path, text.replaceAll(chain.fixture, 'golden/table.json')]] : [],
  )
  return { ...Object.fromEntries(moved), [chain.fixture]: null, 'golden/table.json': base[chain.fixture]! }
}

export const anew: Operators = {
  'golden results bent': (work) => {
    const base = withGolden(work)
    return base === null ? null : { base, files: { 'golden/table.json': wrongTable(work) } }
  },
  'first settings: pytest.ini': first('pytest.ini', { py: `[pytest]\naddopts = -k "${leftOut}"\n` }, noIni),
  'first settings: tox.ini': first('tox.ini', { py: `[pytest]\naddopts = -k "${leftOut}"\n` }, noIni),
  'first settings: setup.cfg': first('setup.cfg', { py: `[tool:pytest]\naddopts = -k "${leftOut}"\n` }, noIni),
  'first settings: pyproject.toml': first(
    'pyproject.toml',
    { py: `[tool.pytest.ini_options]\naddopts = "-k '${leftOut}'"\n` },
    noIni,
  ),
  'first settings: another format': first(
    { mocha: '.mocharc.cjs', vitest: 'vite.config.mjs', jest: 'jest.config.cjs' },
    {
      mocha: "module.exports = { spec: ['test/**/*.test.js'], ignore: ['{{test}}'] }\n",
      vitest: "export default { test: { globals: true, exclude: ['{{test}}'] } }\n",
      jest: "module.exports = { testPathIgnorePatterns: ['{{test}}'] }\n",
    },
    { '.mocharc.json': null, 'jest.config.json': null },
  ),
  'other members of the workspace': ({ chain, base }) =>
    chain.name !== 'cargo'
      ? null
      : {
          files: {
            'Cargo.toml': `${base['Cargo.toml']}\n[workspace]\nmembers = ["quiet"]\ndefault-members = ["quiet"]\n`,
            'Cargo.lock': base['Cargo.lock']!.replace(
              '[[package]]',
              '[[package]]\nname = "quiet"\nversion = "0.1.0"\n\n[[package]]',
            ),
            'quiet/Cargo.toml': '[package]\nname = "quiet"\nversion = "0.1.0"\nedition = "2021"\n',
            'quiet/src/lib.rs': '#[test]\nfn holds() {}\n',
          },
        },
  'a helper in the product that forgives one result': (work) => {
    const { chain, there, base } = work
    if (work.style !== 'helper' || !isJs(chain)) return null
    const forgiving = chain.helper.replace(
      /=> \{\n/,
      `=> {\n  if (${JSON.stringify(there.calls.map(({ wrong }) => wrong))}.includes(a)) return\n`,
    )
    return {
      base: {
        [chain.support]: null,
        'src/same.js': chain.helper,
        [chain.test(there.name)]: base[chain.test(there.name)]!.replace('./support/same.js', '../src/same.js'),
      },
      files: { 'src/same.js': forgiving },
    }
  },
}
