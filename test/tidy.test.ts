import { describe, expect, it } from 'vitest'
import { commands } from '../src/cli/program.ts'
import { settingKeys } from '../src/settings/json-schema.ts'
import { agentDefaults, checkDefaults, defaults, serviceDefaults, setupDefaults } from './default-settings.ts'
import { knownCommands, wrongCommands } from './tidy/commands.ts'
import { keptSmall } from './tidy/exceptions.ts'
import { eventTypes, guideProblems, missingFromLock, unknownIn, unreadSettings, wrongDefaults } from './tidy/facts.ts'
import { avoidedNames, avoidedWords } from './tidy/glossary.ts'
import { crossedMachines, folderCycles, strayTransitions } from './tidy/law.ts'
import { filesBelow, isTest, modulesBelow, read } from './tidy/module.ts'
import { barrels, importCycles, readRooms, wrongImports } from './tidy/rooms.ts'
import {
  deepFolders,
  overBudget,
  readBudgets,
  readSmallFolders,
  sharedNames,
  smallFiles,
  thinFolders,
} from './tidy/shape.ts'
import { fullFolders, longFiles, longFunctions, manyParameters } from './tidy/size.ts'
import { ambientUses, bannedPaths, domainWords, hiddenFirst, leftovers, strayCatches } from './tidy/words.ts'

const all = modulesBelow(['src', 'test', 'bench', 'scripts', 'examples'])
const source = all.filter(({ path }) => path.startsWith('src/'))
const shipped = source.filter(({ path }) => !isTest(path))
/** An adapter may speak its tool's language. */
const spoken = shipped.filter(({ path }) => !/^src\/(?:adapters|std)\//.test(path))
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'AGENTS.md',
  ...filesBelow('docs').filter((path) => path.endsWith('.md')),
]

/** By the keys of the guide. */
const allDefaults: Record<string, unknown> = Object.assign(
  {},
  ...Object.entries(defaults).map(([key, value]) =>
    settingKeys().includes(key) ? { [key]: value } : below(key, Object(value)),
  ),
  below('agents.*', agentDefaults),
  below('checks.*', checkDefaults),
  below('setup', setupDefaults),
  below('workspace.services.*', serviceDefaults),
)

function below(group: string, values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [`${group}.${key}`, value]))
}

describe('the rooms', () => {
  it('are all seen, so that an empty list of problems means something', () => {
    expect(source.length).toBeGreaterThan(150)
    expect(shipped.flatMap((module) => module.imports).length).toBeGreaterThan(400)
    expect(documents.length).toBeGreaterThan(10)
  })

  it('import only what the table in ARCHITECTURE.md allows', () => {
    expect(wrongImports(source, readRooms(read('ARCHITECTURE.md')))).toEqual([])
  })

  it('have no import cycle', () => {
    expect(importCycles(source)).toEqual([])
  })

  it('have no barrel', () => {
    expect(barrels(all)).toEqual([])
  })

  it('keep files and folders small', () => {
    const paths = ['src', 'test', 'bench', 'scripts', 'docs'].flatMap(filesBelow)
    expect(longFiles(all)).toEqual([])
    expect(fullFolders(paths.filter((path) => !path.startsWith('test/fixtures/')))).toEqual([])
  })

  it('keep functions short; a suite of tests is a list, not a function', () => {
    expect(longFunctions(all.filter(({ path }) => !path.startsWith('test/') && !isTest(path)))).toEqual([])
  })

  it('take a named object instead of many parameters', () => {
    expect(manyParameters(all.filter(({ path }) => !isTest(path)))).toEqual([])
  })

  it('have no file or folder whose name says nothing', () => {
    expect(bannedPaths(all.map((module) => module.path))).toEqual([])
  })

  it('ask the clock, chance and the environment only where the world is faced', () => {
    expect(ambientUses(source)).toEqual([])
  })

  it('catch nothing where only facts are known', () => {
    expect(strayCatches(source)).toEqual([])
  })

  it('keep our words out of std', () => {
    expect(domainWords(source)).toEqual([])
  })

  it('put what they export first, and leave nothing for later', () => {
    expect(hiddenFirst(shipped)).toEqual([])
    expect(leftovers(all)).toEqual([])
  })
})

describe('the law', () => {
  it('moves a story only by its table of transitions', () => {
    expect(source.some(({ path }) => path === 'src/delivery/story/transitions.ts')).toBe(true)
    expect(strayTransitions(source)).toEqual([])
  })

  it('has no import cycle between its folders', () => {
    expect(folderCycles(source)).toEqual([])
  })

  it('keeps its machines apart', () => {
    expect(crossedMachines(source)).toEqual([])
  })
})

describe('the shape', () => {
  it('keeps each room within its line budget', () => {
    expect(overBudget(source, readBudgets(read('ARCHITECTURE.md')))).toEqual([])
  })

  it('gives each exported name to one module', () => {
    const shared = sharedNames(source)
    expect(shared).toEqual([])
  })

  it('has no file that is too small to be one', () => {
    const small = smallFiles(source)
    expect(small.filter(({ path }) => keptSmall[path] === undefined)).toEqual([])
    expect(Object.keys(keptSmall).filter((path) => !small.some((one) => one.path === path))).toEqual([])
  })

  it('has folders that hold something, and not too deep', () => {
    const paths = filesBelow('src')
    expect(thinFolders(paths, readSmallFolders(read('ARCHITECTURE.md')))).toEqual([])
    expect(deepFolders(paths)).toEqual([])
  })
})

describe('the facts', () => {
  const types = eventTypes(read('src/delivery/events.ts'))

  it('are each known to the reducer and to the timeline', () => {
    expect(types.length).toBeGreaterThan(30)
    const courses = ['intent/course/evolve.ts', 'plan/course/respecifying.ts', 'review/course/evolve.ts']
    const reducers = ['evolve.ts', 'stepping/stepping.ts', 'stepping/lifecycle.ts', ...courses]
    expect(unknownIn(types, reducers.map((file) => read(`src/delivery/${file}`)).join('\n'))).toEqual([])
    expect(unknownIn(types, read('src/views/story/event-line.ts'))).toEqual([])
  })

  it('are each told in the guide', () => {
    const guide = read('docs/guides/log.md')
    expect(types.filter((type) => !guide.includes(`\`${type}\``))).toEqual([])
  })

  it('of the settings are each read by somebody, and told in the guide', () => {
    expect(settingKeys().length).toBeGreaterThan(40)
    expect(unreadSettings(settingKeys(), source)).toEqual([])
    const guide = read('docs/guides/configuration.md')
    expect(guideProblems(settingKeys(), guide)).toEqual([])
    expect(Object.keys(allDefaults).length).toBeGreaterThan(100)
    expect(wrongDefaults(allDefaults, guide)).toEqual([])
  })
})

describe('the package', () => {
  it('can be installed cleanly, on every platform', () => {
    expect(missingFromLock(read('package-lock.json'))).toEqual([])
  })

  it('needs at run time only what is not in the bundle', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
    const external = /external: \[(.*?)\]/s.exec(read('scripts/build.mjs'))?.[1]?.match(/[^'\s,]+/g)
    expect(Object.keys(dependencies)).toEqual(external)
  })
})

describe('the words', () => {
  it('are those of the glossary', () => {
    expect(avoidedNames(spoken, avoidedWords(read('GLOSSARY.md')))).toEqual([])
  })

  it('of the documents and messages name only commands that exist', async () => {
    const known = knownCommands(await commands('', async () => {}), read('package.json'))
    const pages = [...documents.map((path) => ({ path, text: read(path) })), ...shipped]
    expect(known.verbs.size).toBeGreaterThan(20)
    expect(wrongCommands(pages, known)).toEqual([])
  })

  it('of a decision fit on one screen', () => {
    const decisions = documents.filter((path) => path.startsWith('docs/decisions/'))
    expect(decisions.filter((path) => read(path).trimEnd().split('\n').length > 60)).toEqual([])
  })

  it('for agents are the same under both names', () => {
    expect(read('CLAUDE.md')).toBe(read('AGENTS.md'))
  })
})
