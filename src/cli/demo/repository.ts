import { demoRequirement, demoReviews } from './opinions.ts'

/** A small, real shop: what the demo delivers into. */
export const demoFiles: Record<string, string> = {
  'package.json': `${JSON.stringify({ name: 'corner-shop', version: '1.0.0', type: 'module', private: true, scripts: { test: 'node --test' } }, null, 2)}\n`,
  'README.md': '# Corner shop\n\nPrices and carts, in a few lines.\n',
  'src/price.js': `export const format = (amount) => \`\${amount.toFixed(2)} EUR\`

export const total = (cart) => cart.reduce((sum, item) => sum + item.price * (item.count ?? 1), 0)
`,
  'src/index.js': `export { format, total } from './price.js'
`,
  'test/price.test.js': `import assert from 'node:assert/strict'
import test from 'node:test'
import { format, total } from '../src/index.js'

test('a price has two decimals and its currency', () => {
  assert.equal(format(5), '5.00 EUR')
})

test('a cart adds up', () => {
  assert.equal(total([{ price: 2, count: 3 }, { price: 1.5 }]), 7.5)
})
`,
  'ropewalk.yaml': `# The demo's agents play scripts instead of asking a model. Everything else is as in real use.
target: main
agents:
  player: { driver: scripted, script: script.yaml }
  critic: { driver: scripted, script: reviews.yaml }
roles: { coder: player, planner: player, interpreter: player, challenger: critic, triager: critic }
review:
  reviewers:
    - { vantage: correctness, agents: [critic] }
    - { vantage: criteria, agents: [player] }
checks:
  test: { run: "npm test", timeoutMs: 60000 }
limits: { agents: 3 }
`,
  'requirement.md': demoRequirement,
  'reviews.yaml': `${JSON.stringify(demoReviews, null, 2)}\n`,
}
