interface Stopping {
  rule: string
  commits: { file: string | null; message: string }[]
}

/** Which settings, or which words in a plan, would have let such work pass. */
export const adviceOn = (rules: readonly Stopping[]): string[] =>
  rules.flatMap(({ rule, commits }) => {
    const advice = Object.hasOwn(advices, rule) ? advices[rule] : undefined
    return advice === undefined ? [] : [advice(commits)]
  })

const advices: Record<string, (commits: Stopping['commits']) => string> = {
  'protected-file': (commits) =>
    commits.every(({ message }) => message.includes('by the settings'))
      ? `\`protect\` names what is everyday work here: ${placesOf(commits)}. Take out what stories may change.`
      : `Stories that are to change how work is judged say so: \`mayChange: [${placesOf(commits)}]\` in the plan.`,
  'test-deleted': () => 'A story that is to remove tests names them under `mayChange` in the plan.',
  'test-skipped': () => 'A story that is to switch a test off names its file under `mayChange` in the plan.',
  'binary-file': (commits) => `A story that brings binary files declares them: \`files: [${placesOf(commits)}]\`.`,
  'build-artefact': (commits) => `What is built is committed here: \`files: [${placesOf(commits)}]\` in such stories.`,
  'secret-file': (commits) =>
    `If these hold no secrets, the story names them under \`mayChange\`: ${placesOf(commits)}.`,
  secret: () => 'Look at each: a real secret must be replaced; a made-up one says so, as in `example-key`.',
  'old-tests-fail': (commits) =>
    `${some(commits)} what old tests expect: \`changedTests\` says who decides that, and a story that is to change them names them under \`mayChange\`. What no test leans on is no test material: \`tests.product\`.`,
  'tests-not-executed': () =>
    'Tests that are not executed any more are taken for lost: a story that is to switch them off names their files under `mayChange`.',
  'tests-deaf': (commits) =>
    `Tests seem to notice less. If these are not product code, say so: \`tests.material: [${placesOf(commits)}]\`.`,
  'test-without-witness': () =>
    'Tests that pass without the change they came with: a story that only describes what is there says `tests: characterisation` in the plan; `witness: false` switches the witness off.',
  'change-unnoticed': () => 'Where tests need not notice every change, `mutation: tell` tells of it and stops nothing.',
  'called-in-vain': () => 'Where tests need not notice every change, `mutation: tell` tells of it and stops nothing.',
  'tests-empty': () => 'Where tests need not notice a breakage, `mutation: tell` tells of it and stops nothing.',
  'set-up-failed': () => 'The set-up has to work on every commit: look at `setup`.',
  'repository-inside': (commits) => `A story that adds a submodule declares it: \`files: [${placesOf(commits)}]\`.`,
}

/** What would let those be judged of which nobody can say anything. */
export function adviceOnUnjudged(reasons: readonly string[]): string[] {
  const found = unjudgedAdvices.filter(({ when }) => reasons.some((reason) => when.test(reason)))
  return found.map(({ advice }) => advice)
}

const unjudgedAdvices = [
  {
    when: /tells? of no test/,
    advice:
      'The output of a check tells of no test: name its runner with `checks.<name>.parser`, or say `parser: exit-code`.',
  },
  {
    when: /cannot be set up/,
    advice: 'The parents of commits cannot be set up: `setup` has to work on older commits, too.',
  },
  {
    when: /is red/,
    advice:
      'The parents of commits are red: tests that fail for the machine are set aside with `quarantine`; a check that needs the network, docker or your home says so with `checks.<name>.needs`.',
  },
]

const some = (commits: Stopping['commits']): string =>
  commits.length === 1 ? 'One commit changes' : `${commits.length} commits change`

const mostPlaces = 4

/** The files that occur most. */
function placesOf(commits: Stopping['commits']): string {
  const counts = new Map<string, number>()
  for (const { file } of commits) if (file !== null) counts.set(file, (counts.get(file) ?? 0) + 1)
  const sorted = [...counts].sort(([, a], [, b]) => b - a).map(([file]) => file)
  return [...sorted.slice(0, mostPlaces), ...(sorted.length > mostPlaces ? ['…'] : [])].join(', ')
}
