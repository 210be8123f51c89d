import { realpath } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { TerminalError } from '../../ports/errors.ts'
import type { Setting } from '../../roles/prompt/prompt.ts'
import type { Section, SectionName } from '../../roles/prompt/sections.ts'
import { type Template, templateOf } from '../../roles/prompt/template.ts'
import { type PromptName, prompts } from '../../roles/sees.ts'
import { conventionPaths, conventionsSection } from '../../roles/shared/conventions.ts'
import { handoffsSection } from '../../roles/shared/handoffs.ts'
import { correctionsSection, doubtsSection, intentSection } from '../../roles/shared/intent.ts'
import { checklistSection, constraintsSection } from '../../roles/shared/outline.ts'
import { constitutionSection, memorySection, transitionSection } from '../../roles/shared/standing.ts'
import { builtIn, overridePath } from '../../roles/templates.ts'
import { readText } from '../place/text.ts'
import { type Briefed, contextSection, identitySection, referencesSection } from './context.ts'

interface About {
  /** What it is about in the repository, so that the conventions of these folders are told. */
  paths: readonly string[]
  /** For `{{word}}` within the Markdown. */
  words: Record<string, string>
}

/** What a prompt of this delivery is put together with: its Markdown, and what this role may know. */
export async function settingFor(around: Briefed, name: PromptName, about: Partial<About> = {}): Promise<Setting> {
  const { paths = [], words = {} } = about
  const beside = (file: string): string => around.world.places.result(around.input.delivery, file)
  const seen = prompts[name].sees.flatMap((section) => makers[section as SectionName] ?? [])
  const [template, shared] = await Promise.all([
    templateFor(around, name),
    Promise.all(seen.map((make) => make(around, name, paths))),
  ])
  return { template, beside, words, shared }
}

/** As it was when the delivery began: what an agent makes of it since then holds for later deliveries, not for its own. */
async function templateFor({ input, repository }: Briefed, name: PromptName): Promise<Template> {
  const path = overridePath(name)
  const own = await repository.readFile(input.request.base, path)
  return own === null ? builtIn(name) : templateOf(name, own, path)
}

type Maker = (around: Briefed, name: PromptName, paths: readonly string[]) => Section | Promise<Section>

/** What is known about the delivery and its repository, as far as a role may see it: nothing else is even read. */
const makers: Partial<Record<SectionName, Maker>> = {
  intent: ({ input }) => intentSection(input.intent),
  doubts: ({ input }) => doubtsSection(input.intent),
  constraints: ({ input }) => constraintsSection(input.outline),
  checklist: ({ input }) => checklistSection(input.outline),
  corrections: ({ input }) => correctionsSection(input.corrections),
  transition: ({ input }) => transitionSection(input.transition),
  handoffs: ({ input }, name) => handoffsSection(name, input.left),
  identity: identitySection,
  references: referencesSection,
  context: contextSection,
  memory: async (around) => memorySection(await remembered(around)),
  constitution,
  conventions: (around, _, paths) => conventions(around, paths),
}

async function remembered({ world, input }: Briefed): Promise<{ about: string; text: string }[]> {
  const known = await world.memory.recall(input.request.repository.id)
  return Object.values(known?.passes ?? {}).flatMap(({ facts }) => facts)
}

/** On this machine where its path is absolute; else in the repository, as it was when the delivery began. */
async function constitution({ world, input, repository }: Briefed): Promise<Section> {
  const { constitution: path } = input.policy
  const { base } = input.request
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
async function conventions({ world, input, repository }: Briefed, paths: readonly string[]): Promise<Section> {
  const files = await repository.readFiles(input.request.base, conventionPaths(paths))
  const found = [...files].map(([path, bytes]) => ({ path, text: world.redact(Buffer.from(bytes).toString('utf8')) }))
  return conventionsSection(found, paths)
}
