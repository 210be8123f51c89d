// What agents here can say as reviewers, triagers and writers of tests.

/** In each of its roles the agent does what is said for it; `answer` writes JSON about the commit it was shown. */
export const playing = (roles: { coder?: string; reviewer: string; triager?: string; tests?: string }): string => `
answer() { printf '%s' "$1" | sed "s/COMMIT/$ROPEWALK_COMMIT/" > "$ROPEWALK_RESULT"; }
case "$ROPEWALK_ROLE" in
coder) ${roles.coder ?? 'work'} ;;
reviewer) ${roles.reviewer} ;;
triager) ${roles.triager ?? sorts('accepted', 'blocking')} ;;
test-writer) ${roles.tests ?? ':'} ;;
esac`

export const says = (value: object): string => `answer '${JSON.stringify({ commit: 'COMMIT', ...value })}'`

export const claim = {
  severity: 'blocking',
  file: 'src/multiply.js',
  line: 1,
  message: 'Text is multiplied without an error.',
  evidence: 'export const multiply = (a, b) => a * b',
}
export const approves = says({ verdict: 'approve', checked: ['src/multiply.js'] })
export const refuses = (...findings: object[]): string => says({ verdict: 'needs-work', findings })
export const sorts = (fate: string, severity: string): string =>
  says({ sorted: [{ finding: 'F1', fate, severity, because: 'It throws nothing for "a" and "b".' }] })

export const seat = (...vantages: string[]) => ({
  reviewers: vantages.map((vantage) => ({ vantage, agents: ['rogue'] })),
})
export const one = { review: seat('correctness') }
export const two = { review: seat('correctness', 'edge-cases') }

/** The coder mends what it is told of, and keeps its tests. */
export const mends = `work; case "$PROMPT" in *'without an error'*) cat > src/multiply.js <<'CODE'
export const multiply = (a, b) => {
  if (typeof a !== 'number' || typeof b !== 'number') throw new TypeError('numbers only')
  return a * b
}
CODE
;; esac`
export const satisfiedOnceMended = `if grep -q TypeError src/multiply.js; then ${approves}; else ${refuses(claim)}; fi`
