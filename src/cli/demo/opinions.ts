// What the agents of the demo think: what is meant, how to split it, and what is wrong with the work.

const criteria = [
  'Given a price of 5, when it is shown, then it reads €5.00.',
  'Given a cart of 200, when 10 % is taken off and 19 % tax is added, then the receipt says €214.20.',
  'Given a cart of 20, when a label is printed, then it shows the value of the cart.',
]

export const demoRequirement = `Let the corner shop take a percentage off a cart, add tax, print shipping labels and receipts, and show prices as €5.00.

Acceptance criteria:
${criteria.map((criterion) => `- ${criterion}`).join('\n')}

Only src/ and test/ change. Prices in other currencies are out of scope.
`

const nonce = '$ROPEWALK_NONCE'
const reading = {
  nonce,
  workKind: 'feature',
  ambiguity: 'clear',
  reading: {
    summary:
      'A cart can be discounted and taxed, labels and receipts are printed as text, and every price shows € first.',
    terms: [{ term: 'print', meaning: 'return the text; nothing goes to a printer' }],
    behaviours: criteria,
    files: ['src/price.js', 'src/discount.js', 'src/tax.js', 'src/shipping.js', 'src/receipt.js'],
    size: 'medium',
    examples: [
      {
        input: 'a receipt for two items is printed',
        output: 'a text with a line for each item, and nothing in any queue',
      },
      { input: 'the price of an item of 12 euros', output: '€12.00' },
    ],
  },
  rivals: [
    {
      word: 'print',
      reading: {
        summary: 'Labels and receipts are sent to a printer.',
        terms: [{ term: 'print', meaning: 'a job for a printer' }],
        behaviours: ['a job for a receipt is in the queue of the printer'],
        files: ['src/printer.js'],
        size: 'large',
      },
      evidence: 'Nothing in src/ knows a device: README.md says "in a few lines".',
    },
  ],
  assumptions: [],
  question: 'Is a receipt text, or a job for a printer?',
  defensible: true,
  criteria,
}

const plan = {
  outline: {
    approach: 'One small module for each thing that the shop learns, exported by src/index.js.',
    runnerUp: { approach: 'One class for carts.', lostBecause: 'Everything there is a plain function.' },
    checklist: [{ must: true, item: 'every price is shown by format() of src/price.js' }],
    covers: [
      { criterion: criteria[0], stories: ['currency-first'] },
      { criterion: criteria[1], stories: ['discount', 'tax', 'receipt'] },
      { criterion: criteria[2], stories: ['shipping'] },
    ],
  },
  stories: [
    {
      id: 'currency-first',
      title: 'Show the currency before the amount',
      description: 'Prices read €5.00 instead of 5.00 EUR.',
      criteria: ['Given a price of 5, when it is shown, then it reads €5.00'],
      complexity: 2,
      files: ['src/price.js', 'test/price.test.js'],
      mayChange: ['test/price.test.js'],
    },
    {
      id: 'discount',
      title: 'Take a percentage off a cart',
      criteria: ['Given a cart of 200, when 10 % is taken off, then 180 is left', 'A discount over 100 % is refused'],
      complexity: 2,
      files: ['src/discount.js', 'src/index.js', 'test/discount.test.js'],
    },
    {
      id: 'shipping',
      title: 'Print a shipping label with the value of the cart',
      criteria: ['Given a cart of 20, then the label shows its value as a price'],
      complexity: 1,
      files: ['src/shipping.js', 'test/shipping.test.js'],
    },
    {
      id: 'tax',
      title: 'Add tax to a cart',
      criteria: ['Given a cart of 100, when 19 % tax is added, then it costs 119'],
      complexity: 2,
      files: ['src/tax.js', 'test/tax.test.js'],
    },
    {
      id: 'receipt',
      title: 'Print a receipt with discount and tax',
      description: 'Needs both, so it waits for both.',
      criteria: ['Given a cart of 200 with 10 % off and 19 % tax, then the receipt says 214.20'],
      dependsOn: ['discount', 'tax'],
      complexity: 3,
      files: ['src/receipt.js', 'test/receipt.test.js', 'test/receipt-count.test.js'],
    },
  ],
}

const finding = {
  severity: 'important',
  file: 'src/receipt.js',
  line: 5,
  message: 'Three lamps are shown with the price of one: the count of an item is ignored, and the lines do not add up.',
  evidence: 'format(item.price)',
}

const commit = '$ROPEWALK_COMMIT'
const met = (number: number) => ({ number, state: 'met', why: 'A test shows it.' })
const passed = { number: 1, state: 'passed', why: 'Nothing else makes text of an amount.' }
const items = { criteria: [met(1), met(2)], checklist: [passed] }
const approval = { commit, verdict: 'approve', findings: [], checked: ['every line of the change'], ...items }
const objection = { commit, verdict: 'needs-work', findings: [finding], checked: ['src/receipt.js'] }
const upheld = { finding: 'F1', stance: 'upheld', because: 'The count is used for the total alone.', evidence: '' }
const because = 'total() multiplies by item.count in src/price.js, and the line of the receipt does not.'
const sorted = [{ finding: 'F1', fate: 'accepted', severity: 'important', because }]

const entry = (keys: object, result: object, usd: number): object => ({
  ...keys,
  do: [{ result }, { usage: { inputTokens: Math.round(usd * 200_000), outputTokens: 400, usd } }],
})

/** Played by the one that also codes. */
export const demoThoughts = [
  entry({ role: 'interpreter' }, reading, 0.03),
  entry({ role: 'planner' }, plan, 0.05),
  entry({ role: 'reviewer' }, approval, 0.01),
  entry({ role: 'reviewer', prompt: 'findings of others' }, { commit, rebuttals: [upheld] }, 0.01),
]

/** The line of the receipt as it is before it is mended. */
const firstTry = ['$', '{format(item.price)}'].join('')

/** Played by another one: it has written nothing of what it reviews. */
export const demoReviews = [
  entry({ role: 'reviewer' }, approval, 0.01),
  entry({ role: 'reviewer', story: 'receipt', prompt: firstTry }, objection, 0.02),
  entry({ role: 'challenger' }, { nonce, verdict: 'sound', problems: [], concerns: [] }, 0.02),
  entry({ role: 'triager' }, { commit, sorted, verdict: 'needs-work' }, 0.01),
]
