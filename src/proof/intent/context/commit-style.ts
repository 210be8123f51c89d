const prefix = /^(?:feat|fix|chore|docs|refactor|test|build|ci|perf|style|revert)(?:\([^)]*\))?!?: \S/

export const hasPrefix = (subject: string): boolean => prefix.test(subject)

/** Whether the commits of a repository begin with the kind of work: most of the last ones do. */
export const isPrefixed = (subjects: readonly string[]): boolean =>
  subjects.length > 0 && subjects.filter(hasPrefix).length * 2 > subjects.length
