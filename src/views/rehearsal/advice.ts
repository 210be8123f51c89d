export interface Stopping {
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
  'repository-inside': (commits) => `A story that adds a submodule declares it: \`files: [${placesOf(commits)}]\`.`,
}

const mostPlaces = 4

/** The files that occur most. */
function placesOf(commits: Stopping['commits']): string {
  const counts = new Map<string, number>()
  for (const { file } of commits) if (file !== null) counts.set(file, (counts.get(file) ?? 0) + 1)
  const sorted = [...counts].sort(([, a], [, b]) => b - a).map(([file]) => file)
  return [...sorted.slice(0, mostPlaces), ...(sorted.length > mostPlaces ? ['…'] : [])].join(', ')
}
