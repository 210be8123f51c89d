import type { Module } from './module.ts'

/** Words to avoid, each with the word to use. Those in parentheses mean something else elsewhere, and are let through. */
export function avoidedWords(glossary: string): Map<string, string> {
  const rows = [...glossary.matchAll(/^\| \*\*(.+?)\*\* \| .+? \| (.*?) \|$/gm)]
  if (rows.length === 0) throw new Error('GLOSSARY.md has no words')
  const known = new Set(rows.flatMap(([, word = '']) => word.split(/, /)))
  const pairs = rows.flatMap(([, word = '', avoid = '']) =>
    avoid
      .split(/,\s*/)
      .filter((one) => /^[a-z]+$/i.test(one) && !known.has(one))
      .map((one): [string, string] => [one.toLowerCase(), word]),
  )
  return new Map(pairs)
}

/** In the names of exported types, events, steps and intents: the words that people come to speak. */
export function avoidedNames(modules: Module[], avoided: Map<string, string>): string[] {
  return modules.flatMap(({ path, code, text }) =>
    namesIn(code, text).flatMap((name) => {
      const word = wordsOf(name).find((one) => avoided.has(one))
      return word === undefined ? [] : [`${path}: ${name} says "${word}"; the word is ${avoided.get(word)}`]
    }),
  )
}

function namesIn(code: string, text: string): string[] {
  const exported = [...code.matchAll(/^export (?:interface|type|class) (\w+)/gm)].map((found) => found[1]!)
  const tagged = [...text.matchAll(/\b(?:type|verb): '([A-Z]\w+)'/g)].map((found) => found[1]!)
  return [...new Set([...exported, ...tagged])]
}

const wordsOf = (name: string): string[] => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase())
