const runners: [program: RegExp, files: RegExp][] = [
  [/\b(?:pytest|python[\d.]*|unittest|tox|nose2?)\b/, /\.py$/],
  [/\bgo(?:testsum)?\b/, /\.go$/],
  [/\bcargo\b/, /\.rs$/],
  [
    /\b(?:node|npm|npx|pnpm|yarn|bun|bunx|deno|tsx|vitest|jest|mocha|ava|tap|playwright|cypress)\b/,
    /\.(?:[cm]?[jt]sx?|vue|svelte)$/,
  ],
]

/** Which files a command can run, by the runners that it names; any file where it names none that we know. */
export function runnableBy(command: string): (path: string) => boolean {
  const known = runners.filter(([program]) => program.test(command)).map(([, files]) => files)
  return (path) => known.length === 0 || known.some((files) => files.test(path))
}
