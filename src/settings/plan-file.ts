import { stringify } from 'yaml'
import * as z from 'zod'
import {
  type Complexity,
  complexities,
  criterionTypes,
  type Plan,
  strategies,
  testKinds,
} from '../delivery/plan/plan.ts'
import { identifierProblem } from '../std/identifier.ts'
import { type Problem, problemAt, readYaml, schemaProblems } from './problem.ts'
import { mapping, oneOfWords, words } from './schema.ts'

const longestPlan = 4_000_000

/** A plan as a person or a planner wrote it, in YAML or JSON. Whether its graph makes sense is for the law. */
export function parsePlan(text: string, place: string): { ok: true; plan: Plan } | { ok: false; problems: Problem[] } {
  if (text.length > longestPlan) return { ok: false, problems: [tooLong(text.length, place)] }
  const read = readYaml(text, place)
  if (!read.ok) return read
  const parsed = planFile.safeParse(read.source.value)
  if (!parsed.success) return { ok: false, problems: schemaProblems(parsed.error.issues, read.source) }
  const problems = parsed.data.stories.flatMap((story, index) => {
    const problem = identifierProblem(story.id)
    return problem === null
      ? []
      : [problemAt(read.source, ['stories', index, 'id'], { message: problem, allowed: 'an id like parse-dates' })]
  })
  if (problems.length > 0) return { ok: false, problems }
  const stories = parsed.data.stories.map((story) => ({ ...story, title: story.title ?? story.id }))
  return { ok: true, plan: { stories, outline: parsed.data.outline } }
}

/** For `plan export`: what `parsePlan` reads back as the same plan. */
export const formatPlan = ({ stories, outline }: Plan): string =>
  stringify(outline === null ? { stories } : { outline, stories }, { lineWidth: 100 })

const texts = (what: string) => z.array(z.string({ error: what }), { error: `a list: ${what}` }).default([])

const path = words('a path in the repository')
const criterion = z.discriminatedUnion(
  'type',
  [
    mapping({ type: z.literal('file-exists'), path }),
    mapping({ type: z.literal('file-contains'), path, text: words('text') }),
    mapping({ type: z.literal('command-succeeds'), run: words('a command') }),
    mapping({ type: z.literal('output-contains'), run: words('a command'), text: words('text') }),
    mapping({ type: z.literal('coverage-at-least'), report: path, percent: z.number({ error: 'a number' }) }),
  ],
  { error: `one of ${criterionTypes.join(', ')}` },
)

const said = z.string({ error: 'text' }).default('')

const outline = mapping({
  approach: said,
  runnerUp: mapping({ approach: said, lostBecause: said }).default({ approach: '', lostBecause: '' }),
  invariants: texts('what must stay true'),
  nonGoals: texts('what is left out'),
  tradeOffs: texts('trade-offs as text'),
  checklist: z
    .array(mapping({ must: z.boolean({ error: 'true, or false for what must not be' }), item: words('text') }), {
      error: 'a list of { must, item }',
    })
    .default([]),
  switchWhen: said,
  covers: z
    .array(mapping({ criterion: words('text'), stories: texts('ids of stories') }), {
      error: 'a list of { criterion, stories }',
    })
    .default([]),
  risks: z
    .array(mapping({ risk: words('text'), decision: said }), { error: 'a list of { risk, decision }' })
    .default([]),
})

const planFile = mapping({
  outline: outline.nullable().default(null),
  stories: z.array(
    mapping({
      id: words('a short name in letters, digits and dashes'),
      title: words('text').optional(),
      description: z.string({ error: 'text' }).default(''),
      criteria: texts('criteria as text'),
      dependsOn: texts('ids of other stories'),
      complexity: z.literal([...complexities], { error: `one of ${complexities.join(', ')}` }).default(3 as Complexity),
      files: texts('paths or globs'),
      contextFiles: texts('paths'),
      risks: texts('risks as text'),
      mayChange: texts('paths or globs'),
      mayBeEmpty: z.boolean({ error: 'true or false' }).default(false),
      strategy: oneOfWords(strategies).nullable().default(null),
      noTestsBecause: z.string({ error: 'text' }).default(''),
      tests: oneOfWords(testKinds).default('witnessed'),
      proofs: z.array(criterion, { error: 'a list of criteria' }).default([]),
    }),
    { error: 'a list of stories' },
  ),
})

const tooLong = (length: number, place: string): Problem => ({
  key: '',
  value: '',
  place,
  message: `the plan is ${(length / 1e6).toFixed(1)} MB long`,
  allowed: `at most ${longestPlan / 1e6} MB; split it into several deliveries`,
})
