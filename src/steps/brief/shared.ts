import { realpath } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import type { Handoff } from '../../delivery/handoff/handoff.ts'
import { departuresFor } from '../../delivery/plan/course/departures.ts'
import { type DeliveryState, policyOf, storyOf } from '../../delivery/state.ts'
import { leftBy } from '../../delivery/story/course/handing.ts'
import { transitionBlock } from '../../delivery/story/course/standing.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Section, SectionName } from '../../roles/prompt/sections.ts'
import { type PromptName, prompts } from '../../roles/sees.ts'
import { conventionPaths, conventionsSection } from '../../roles/shared/conventions.ts'
import { handoffsSection, type Left } from '../../roles/shared/handoffs.ts'
import { correctionsSection, doubtsSection, intentSection } from '../../roles/shared/intent.ts'
import { checklistSection, constraintsSection } from '../../roles/shared/outline.ts'
import { constitutionSection, memorySection, transitionSection } from '../../roles/shared/standing.ts'
import { requestOf } from '../place/request.ts'
import { readText } from '../place/text.ts'
import type { About, Around } from './around.ts'
import { contextSection, identitySection } from './context.ts'
import { referencesSection } from './references.ts'

type Told = Pick<About, 'story' | 'paths'>
type Maker = (around: Around, name: PromptName, told: Told) => Section | Promise<Section>

/** What is known about the delivery and its repository, as far as this role may see it: nothing else is even read. */
export async function sharedSections(around: Around, name: PromptName, told: Told): Promise<Section[]> {
  const seen = prompts[name].sees.flatMap((section) => makers[section as SectionName] ?? [])
  return await Promise.all(seen.map((make) => make(around, name, told)))
}

const makers: Partial<Record<SectionName, Maker>> = {
  intent: ({ state }) => intentSection(state.intent),
  doubts: ({ state }) => doubtsSection(state.intent),
  constraints: ({ state }) => constraintsSection(state.plan.plan?.outline ?? null),
  checklist: ({ state }) => checklistSection(state.plan.plan?.outline ?? null),
  corrections: ({ state }) => correctionsSection(state),
  transition: ({ state }, _, { story }) => transitionSection(standing(state, story)),
  handoffs: (around, name, told) => handoffsSection(name, leftFor(around, told)),
  identity: ({ world, state }) => identitySection(world.blobs, state),
  references: (around) => referencesSection(around),
  context: ({ world, state }) => contextSection(world.blobs, state),
  memory: async (around) => memorySection(await remembered(around)),
  constitution: async (around) => await constitution(around),
  conventions: async (around, _, told) => await conventions(around, told),
}

/** Nothing, as long as nothing has happened to it. */
function standing(state: DeliveryState, id: string | null): string[] {
  const story = id === null ? undefined : state.stories[id]
  if (story === undefined || (story.turn === 0 && story.origin === null && story.former.length === 0)) return []
  return transitionBlock(state, id)
}

/** What those have left on whose work this builds or who departed from the plan, and what was left of this story itself. */
function leftFor({ state }: Around, { story }: Told): Left[] {
  if (story === null) return []
  const own = storyOf(state, story)
  const said = ({ quality }: Handoff): boolean => quality !== 'fallback'
  const departed = departuresFor(state, own).map(({ spec }) => spec.id)
  return [...new Set([...own.spec.dependsOn.filter((id) => state.stories[id] !== undefined), ...departed, story])]
    .map((id) => ({ story: id, handoff: leftBy(storyOf(state, id)) }))
    .filter(({ handoff }) => said(handoff))
}

async function remembered({ world, state }: Around): Promise<{ about: string; text: string }[]> {
  const known = await world.memory.recall(requestOf(state).repository.id)
  return Object.values(known?.passes ?? {}).flatMap(({ facts }) => facts)
}

/** On this machine where its path is absolute; else in the repository, as it was when the delivery began. */
async function constitution({ world, state, repository }: Around): Promise<Section> {
  const { constitution: path } = policyOf(state)
  const { base } = requestOf(state)
  if (path === null) return { ...constitutionSection(''), parts: [] }
  const text = isAbsolute(path)
    ? await readText(await realpath(path).catch(() => path))
    : await repository.readFile(base, path)
  if (text !== null) return constitutionSection(world.redact(text))
  const where = isAbsolute(path) ? 'on this machine' : `in the repository at ${base.slice(0, 12)}`
  throw new TerminalError(
    `there is no ${path} ${where}, which constitution names`,
    'Correct constitution in ropewalk.yaml, then resume with --repin.',
  )
}

/** As they were when the delivery began. */
async function conventions({ world, state, repository }: Around, { paths }: Told): Promise<Section> {
  const files = await repository.readFiles(requestOf(state).base, conventionPaths(paths))
  const found = [...files].map(([path, bytes]) => ({ path, text: world.redact(Buffer.from(bytes).toString('utf8')) }))
  return conventionsSection(found, paths)
}
