import { isTest, type Module } from './module.ts'

const bannedNames = /^(?:utils?|helpers?|common|types|managers?|handlers?|services?|v\d+|next|legacy|new|old|index)$/

export function bannedPaths(paths: string[]): string[] {
  return paths.flatMap((path) => {
    const word = path.split(/[/.-]/).find((part) => bannedNames.test(part.toLowerCase()))
    return word === undefined ? [] : [`${path} is called "${word}"`]
  })
}

const ambient =
  /\bDate\b|\bMath\.random\b|\bset(?:Timeout|Interval|Immediate)\b|\bperformance\.now\b|\bprocess\.(?:env|hrtime)\b/g
const mayTouchTheMachine = /^src\/(?:adapters|desk|cli|server)\/|^src\/main\.ts$/

/** The clock, chance and the environment enter as data; only those who face the world may ask for them. */
export function ambientUses(modules: Module[]): string[] {
  return modules
    .filter(({ path }) => path.startsWith('src/') && !mayTouchTheMachine.test(path) && !isTest(path))
    .flatMap(({ path, code, imports }) => [
      ...[...code.matchAll(ambient)].map((found) => `${path} uses ${found[0]}`),
      ...imports.filter((name) => name.startsWith('node:timers')).map((name) => `${path} imports ${name}`),
    ])
}

const leftover = /\b(?:TODO|FIXME|XXX)\b/
const number = /(?:^|\s)#\d+\b|\b(?:issue|ticket|decision)\s+\d+/i

export function leftovers(modules: Module[]): string[] {
  return modules.flatMap(({ path, comments }) =>
    comments
      .filter((comment) => leftover.test(comment) || number.test(comment))
      .map((comment) => `${path}: ${comment.trim().slice(0, 80)}`),
  )
}

const neverCatch = /^src\/(?:delivery|ports|views)\//

/** A failure is a fact, and it is made one in the engine; what only knows facts has nothing to catch. */
export function strayCatches(modules: Module[]): string[] {
  return modules
    .filter(({ path, code }) => neverCatch.test(path) && !isTest(path) && /\bcatch\b/.test(code))
    .map(({ path }) => `${path} catches`)
}

const words =
  'deliver(?:y|ies)|requirements?|stor(?:y|ies)|attempts?|verdicts?|findings?|proofs?|waivers?|workspaces?|ledgers?'
const capital = words.replace(/(?<=^|\|)[a-z]/g, (letter) => letter.toUpperCase())
const ourWords = new RegExp(`\\b(?:${words})(?![a-z])|(?:${capital})(?![a-z])`)

/** What fits any program knows no word of ours. */
export function domainWords(modules: Module[]): string[] {
  return modules
    .filter(({ path }) => path.startsWith('src/std/') && !isTest(path))
    .flatMap(({ path, text }) => {
      const found = ourWords.exec(text)
      return found === null ? [] : [`${path} says "${found[0]}"`]
    })
}

/** Reading starts with what a file is for. */
export function hiddenFirst(modules: Module[]): string[] {
  return modules.flatMap(({ path, code }) => {
    const declared = [...code.matchAll(/^(export )?(?:default )?(?:async )?function\b/gm)]
    const first = declared[0]
    const hidden = first !== undefined && first[1] === undefined && declared.some((one) => one[1] !== undefined)
    return hidden ? [`${path} begins with a function that it does not export`] : []
  })
}
