import { demoThoughts } from './opinions.ts'

/** What the agent of the demo does: mostly good work, and the mistakes that agents make. */
export const demoScript = `
# 0. Says what is meant, splits it into stories, and reviews.
${demoThoughts.map((thought) => `- ${JSON.stringify(thought)}`).join('\n')}

# 1. Honest and quick: the specification of a test changes, and the plan says so.
- role: coder
  story: currency-first
  do:
    - say: Moving the currency to the front.
    - replace: { path: src/price.js, find: "\`\${amount.toFixed(2)} EUR\`", with: "\`€\${amount.toFixed(2)}\`" }
    - replace: { path: test/price.test.js, find: "'5.00 EUR'", with: "'€5.00'" }
    - usage: { inputTokens: 5200, outputTokens: 310, usd: 0.02 }

# 2. Says "done" with a red test, and is sent back with the output.
- role: coder
  story: discount
  round: 1
  do:
    - write:
        src/discount.js: |
          export const discounted = (amount, percent) => amount - percent
        test/discount.test.js: |
          import assert from 'node:assert/strict'
          import test from 'node:test'
          import { discounted } from '../src/index.js'

          test('takes a percentage off', () => {
            assert.equal(discounted(200, 10), 180)
          })

          test('refuses more than everything', () => {
            assert.throws(() => discounted(200, 101), RangeError)
          })
        src/index.js: |
          export { format, total } from './price.js'
          export { discounted } from './discount.js'
    - sleep: 900
    - say: All done, every test passes!
    - usage: { inputTokens: 8100, outputTokens: 640, usd: 0.04 }
- role: coder
  story: discount
  do:
    - write:
        src/discount.js: |
          export function discounted(amount, percent) {
            if (percent < 0 || percent > 100) throw new RangeError('a discount is 0 to 100 percent')
            return amount * (1 - percent / 100)
          }
    - say: The percentage is now taken from the amount, and 101 % is refused.
    - usage: { inputTokens: 9400, outputTokens: 420, usd: 0.04 }
- role: coder
  story: discount
  prompt: "conflict ("
  do:
    - write:
        src/index.js: |
          export { format, total } from './price.js'
          export { discounted } from './discount.js'
          export { taxed } from './tax.js'
    - say: Kept both exports.
    - usage: { inputTokens: 4100, outputTokens: 120, usd: 0.01 }

# 3. Green alone, red together with story 1: its test knows the former price format.
- role: coder
  story: shipping
  round: 1
  do:
    - write:
        src/shipping.js: |
          import { format, total } from './price.js'

          export const label = (name, cart) => \`To: \${name} / value \${format(total(cart))}\`
        test/shipping.test.js: |
          import assert from 'node:assert/strict'
          import test from 'node:test'
          import { label } from '../src/shipping.js'

          test('a label shows the value of the cart', () => {
            assert.equal(label('Ada', [{ price: 20 }]), 'To: Ada / value 20.00 EUR')
          })
    - sleep: 2500
    - say: Labels are in.
    - usage: { inputTokens: 6000, outputTokens: 380, usd: 0.03 }
- role: coder
  story: shipping
  do:
    - replace: { path: test/shipping.test.js, find: 20.00 EUR, with: €20.00 }
    - say: The line shows the currency first by now; the label follows.
    - usage: { inputTokens: 6600, outputTokens: 150, usd: 0.02 }

# 4. Deletes a test that is in the way, and is caught; then conflicts with story 2.
- role: coder
  story: tax
  round: 1
  do:
    - write:
        src/tax.js: |
          export const taxed = (amount, percent) => Math.round(amount * (100 + percent)) / 100
        test/tax.test.js: |
          import assert from 'node:assert/strict'
          import test from 'node:test'
          import { taxed } from '../src/index.js'

          test('adds tax', () => {
            assert.equal(taxed(100, 19), 119)
          })
        src/index.js: |
          export { format, total } from './price.js'
          export { taxed } from './tax.js'
    - delete: test/price.test.js
    - say: Tax works. I removed an unrelated test that was failing.
    - usage: { inputTokens: 7700, outputTokens: 510, usd: 0.03 }
- role: coder
  story: tax
  do:
    - shell: git checkout -q "$ROPEWALK_BASE" -- test/price.test.js
    - sleep: 1800
    - say: The test is back.
    - usage: { inputTokens: 8200, outputTokens: 90, usd: 0.03 }
- role: coder
  story: tax
  prompt: "conflict ("
  do:
    - write:
        src/index.js: |
          export { format, total } from './price.js'
          export { discounted } from './discount.js'
          export { taxed } from './tax.js'
    - say: Kept both exports.
    - usage: { inputTokens: 4200, outputTokens: 110, usd: 0.01 }

# 5. Starts when both of its dependencies are on the line; a reviewer finds what no test has seen.
- role: coder
  story: receipt
  prompt: Three lamps
  do:
    - replace: { path: src/receipt.js, find: format(item.price), with: format(item.price * (item.count ?? 1)) }
    - write:
        test/receipt-count.test.js: |
          import assert from 'node:assert/strict'
          import test from 'node:test'
          import { receipt } from '../src/receipt.js'

          test('an item that is bought three times shows what three cost', () => {
            assert.match(receipt([{ name: 'lamp', price: 20, count: 3 }]), /lamp .*60\\.00/)
          })
    - say: A line shows what all of its items cost, and a test sees to it.
    - usage: { inputTokens: 6100, outputTokens: 260, usd: 0.02 }
- role: coder
  story: receipt
  do:
    - write:
        src/receipt.js: |
          import { discounted, format, taxed, total } from './index.js'

          export function receipt(cart, { off = 0, tax = 0 } = {}) {
            const due = taxed(discounted(total(cart), off), tax)
            return [...cart.map((item) => \`\${item.name}  \${format(item.price)}\`), \`total  \${format(due)}\`].join('\\n')
          }
        test/receipt.test.js: |
          import assert from 'node:assert/strict'
          import test from 'node:test'
          import { receipt } from '../src/receipt.js'

          test('a receipt ends with what is due', () => {
            const text = receipt([{ name: 'lamp', price: 200 }], { off: 10, tax: 19 })
            assert.match(text, /lamp/)
            assert.match(text, /total .*214\\.20/)
          })
    - say: The receipt is printed.
    - usage: { inputTokens: 9900, outputTokens: 700, usd: 0.05 }
`
