/** A runner that waits for changes never ends; the word for it, or null. */
export function waitsForChanges(text: string): string | null {
  if (!signs.test(text)) return null
  return 'it waits for changes instead of ending: run it without its watch mode (`vitest run`, `jest` without --watch)'
}

const signs =
  /Waiting for file changes|press [a-z] to (?:quit|show help)|Watch Usage|waiting for changes\.\.\.|Watching for file changes|to quit watch mode/i
