/** CPU seconds on the machine of docs/figures.md, user and system, with all processes that the tests start. */
export const budgets: Record<string, number> = {
  quick: 450,
  real: 950,
  'the runner itself': 120,
}
