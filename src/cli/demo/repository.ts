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
  'ropewalk.yaml': `# The demo's agent plays script.yaml instead of asking a model. Everything else is as in real use.
target: main
agents:
  player: { driver: scripted, script: script.yaml }
roles: { coder: player }
checks:
  test: { run: "npm test", timeoutMs: 60000 }
limits: { agents: 3 }
`,
  'plan.yaml': `stories:
  - id: currency-first
    title: Show the currency before the amount
    description: Prices read €5.00 instead of 5.00 EUR.
    criteria: ["Given a price of 5, when it is shown, then it reads €5.00"]
    complexity: 1
    files: [src/price.js, test/price.test.js]
    mayChange: [test/price.test.js]
  - id: discount
    title: Take a percentage off a cart
    criteria: ["Given a cart of 200, when 10 % is taken off, then 180 is left", "A discount over 100 % is refused"]
    complexity: 2
    files: [src/discount.js, src/index.js, test/discount.test.js]
  - id: shipping
    title: Print a shipping label with the value of the cart
    criteria: ["Given a cart of 20, then the label shows its value as a price"]
    complexity: 1
    files: [src/shipping.js, test/shipping.test.js]
  - id: tax
    title: Add tax to a cart
    criteria: ["Given a cart of 100, when 19 % tax is added, then it costs 119"]
    complexity: 2
  - id: receipt
    title: Print a receipt with discount and tax
    description: Needs both, so it waits for both.
    criteria: ["Given a cart of 200 with 10 % off and 19 % tax, then the receipt says 214.20"]
    dependsOn: [discount, tax]
    complexity: 3
    files: [src/receipt.js, test/receipt.test.js]
`,
}

export const demoRequirement =
  'The corner shop needs discounts, tax, shipping labels and a receipt, and prices should show the currency first.'
