// A shop whose amounts are texts: whoever takes them for numbers builds the wrong thing.
export const shop = {
  'README.md':
    '# Shop\n\nKeeps the invoices of small shops on their own machine. Amounts are shown as they were typed.\n',
  'docs/decisions/amounts.md': '# Amounts\n\nAn amount is a text such as 12,50: it is never computed with.\n',
  'docs/invoices.md': '# Invoices\n\nAn invoice has positions.\n',
  'src/invoice.js':
    'export const amount = "12,50"\nexport function total(positions) {\n  return positions.join(" + ")\n}\n',
  'src/other.js': 'export const other = 1\n',
  'logo.bin': '\0\0\0',
}

export const reading = (summary: string, more: object = {}) => ({
  summary,
  terms: [],
  behaviours: [`${summary}, as one can see`],
  files: ['src/invoice.js'],
  size: 'small',
  examples: [
    { input: 'two positions', output: summary },
    { input: 'no position', output: 'nothing is shown' },
  ],
  ...more,
})

/** What a reader answers. */
export const said = (summary: string, more: object = {}) => ({
  nonce: '$ROPEWALK_NONCE',
  workKind: 'feature',
  ambiguity: 'clear',
  reading: reading(summary),
  rivals: [{ word: 'total', reading: reading('Something else is shown'), evidence: 'README.md' }],
  assumptions: [],
  question: 'Is the total a sum?',
  defensible: true,
  criteria: ['Given two positions, when the total is asked for, then it is shown.'],
  ...more,
})

export const assumption = (claim: string, more: object = {}) => ({
  claim,
  evidence: '',
  falsifier: 'an amount that is a text',
  stakes: 'high',
  ...more,
})
