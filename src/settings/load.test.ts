import { describe, expect, it } from 'vitest'
import { type Layer, loadSettings } from './load.ts'
import { policyHash, toPolicy } from './policy.ts'
import { describeProblem, type Problem } from './problem.ts'
import { settingsGaps } from './references.ts'
import { checkDefaults } from './schema.ts'
import type { Settings } from './settings.ts'

const file = (text: string, name = 'repository'): Layer => ({ name, place: 'ropewalk.yaml', content: { text } })
const flags = (value: unknown): Layer => ({ name: 'flags', place: 'command line', content: { value } })

function good(...layers: Layer[]): { settings: Settings; origins: Record<string, string> } {
  const loaded = loadSettings(layers)
  if (!loaded.ok) throw new Error(loaded.problems.map(describeProblem).join('\n'))
  return loaded
}

function bad(...layers: Layer[]): Problem[] {
  const loaded = loadSettings(layers)
  if (loaded.ok) throw new Error('no problem was found')
  return loaded.problems
}

const sample = `
target: main
gates: manual
land: each
agents:
  mine: { driver: command, command: ["./my-agent", "--flag"], timeoutMs: 3600000 }
  play: { driver: scripted, script: demo.yaml, models: { fast: small } }
roles: { coder: [mine, play], planner: mine }
checks:
  lint: { run: "npm run lint", fix: "npm run lint -- --fix" }
  test: npm test
setup: npm ci
limits: { agents: 2 }
`

describe('loadSettings', () => {
  it('takes how long things are kept from the user alone', () => {
    const { settings } = good(file('keep: { archivesDays: null }', 'user'), file('target: main'))
    expect(settings.keep).toMatchObject({ archivesDays: null, transcriptsDays: 90 })
  })

  it('reads the whole file and fills in defaults', () => {
    const { settings, origins } = good(file(sample))
    expect(settings.checks).toEqual([
      { ...checkDefaults, name: 'lint', run: 'npm run lint', fix: 'npm run lint -- --fix' },
      { ...checkDefaults, name: 'test', run: 'npm test' },
    ])
    expect(settings.setup).toEqual({ run: 'npm ci', timeoutMs: 600_000, reads: [] })
    expect(settings.roles).toMatchObject({ coder: ['mine', 'play'], planner: ['mine'] })
    expect(settings.limits).toMatchObject({ agents: 2, roundsPerAttempt: 3, questionDeadlineMs: 14_400_000 })
    expect(settings.agents.mine).toMatchObject({ timeoutMs: 3_600_000, idleTimeoutMs: 900_000, reserveUsd: null })
    expect(origins).toMatchObject({
      'limits.agents': 'repository',
      'limits.landings': 'default',
      'checks.test.run': 'repository',
      'checks.test.timeoutMs': 'default',
    })
  })

  it('lets later layers win, key by key', () => {
    const user = file('{ limits: { agents: 9, landings: 1 }, ceilings: { usdPerDay: 50 }, gates: auto }', 'user')
    const { settings, origins } = good(user, file('limits: { agents: 2 }'), flags({ gates: 'manual' }))
    expect(settings.limits).toMatchObject({ agents: 2, landings: 1 })
    expect(settings.ceilings.usdPerDay).toBe(50)
    expect(settings.gates).toBe('manual')
    expect(origins).toMatchObject({ gates: 'flags', 'limits.agents': 'repository', 'limits.landings': 'user' })
  })

  it('replaces an agent that is given a driver again, and amends one that is not', () => {
    const user = file('agents: { a: { driver: command, command: [x] }, b: { driver: command, command: [y] } }', 'user')
    const { settings, origins } = good(
      user,
      file('{ agents: { a: { driver: scripted, script: s.yaml }, b: { timeoutMs: 5 } } }'),
    )
    expect(settings.agents.a).toMatchObject({ driver: 'scripted', command: null, script: 's.yaml' })
    expect(settings.agents.b).toMatchObject({ driver: 'command', command: ['y'], timeoutMs: 5 })
    expect(origins['agents.a.command']).toBe('default')
  })

  it('takes empty files and sections whose lines are commented out', () => {
    expect(good(file('')).settings.gates).toBe('plan')
    expect(good(file('checks:\n#  test: x\n')).settings.checks).toEqual([])
  })

  it('gives every role to the only agent there is', () => {
    const { settings } = good(file('agents: { mine: { driver: command, command: [x] } }'))
    const others = { testWriter: [], verifier: [], triager: [], interpreter: null, challenger: null }
    expect(settings.roles).toEqual({ coder: ['mine'], planner: ['mine'], ...others })
  })

  it('looks for an agent where none is named', () => {
    expect(good(file('')).settings).toMatchObject({
      agents: {},
      roles: { coder: ['auto'], planner: ['auto'], testWriter: [], verifier: [] },
    })
    expect(good(file('roles: { coder: auto }')).settings).toMatchObject({ agents: {}, roles: { planner: ['auto'] } })
  })

  it('knows a product by its name, with or without settings of its own', () => {
    const { settings } = good(
      file('{ agents: { codex: { models: { fast: small } } }, roles: { coder: [claude, codex] } }'),
    )
    expect(Object.keys(settings.agents)).toEqual(['claude', 'codex'])
    expect(settings.agents.claude).toMatchObject({
      driver: 'claude',
      command: null,
      home: 'own',
      permissions: 'bypass',
    })
    expect(settings.agents.codex).toMatchObject({ driver: 'codex', models: { fast: 'small' } })
    const other = good(file('{ agents: { claude: { driver: acp, command: [x] } }, roles: { coder: claude } }'))
    expect(other.settings.agents.claude).toMatchObject({ driver: 'acp' })
  })
})

describe('problems', () => {
  it('names an unknown key, its place, and the likely one', () => {
    expect(bad(file('limits:\n  agent: 3\n'))).toEqual([
      expect.objectContaining({
        key: 'limits.agent',
        value: '3',
        place: 'ropewalk.yaml:2:3',
        message: 'unknown key "agent", did you mean "agents"?',
        allowed: expect.stringContaining('roundsPerAttempt'),
      }),
    ])
  })

  const cases: [string, string, Partial<Problem>][] = [
    ['a wrong word', 'gates: always', { key: 'gates', value: '"always"', allowed: 'one of auto, plan, manual' }],
    [
      'a wrong type',
      'limits: { agents: many }',
      { key: 'limits.agents', value: '"many"', place: 'ropewalk.yaml:1:11' },
    ],
    ['zero agents', 'limits: { agents: 0 }', { key: 'limits.agents', value: '0' }],
    ['a fraction', 'limits: { agents: 1.5 }', { key: 'limits.agents', value: '1.5' }],
    ['an empty command', 'checks: { test: "" }', { key: 'checks.test' }],
    ['an unknown key in a check', 'checks: { test: { run: x, fixx: y } }', { key: 'checks.test.fixx' }],
    ['a check without a command', 'checks: { test: { fix: y } }', { key: 'checks.test.run' }],
    ['an unknown parser', 'checks: { test: { run: x, parser: jasmine } }', { key: 'checks.test.parser' }],
    ['a path-like check name', 'checks: { "a/b": x }', { key: 'checks.a/b' }],
    ['a path-like agent name', 'agents: { "..": { driver: scripted, script: x } }', { key: 'agents...' }],
    ['an agent called auto', 'agents: { auto: { driver: claude } }', { key: 'agents.auto' }],
    ['auto beside others', 'roles: { coder: [claude, auto] }', { key: 'roles.coder' }],
    ['a verifier that nobody knows', 'roles: { verifier: cloude }', { key: 'roles.verifier' }],
    [
      'tests at no time that we know',
      'strategy: none',
      { key: 'strategy', allowed: 'one of after, tdd, three-session' },
    ],
    ['an agent that nobody knows', 'roles: { planner: cloude }', { message: expect.stringContaining('"claude"?') }],
    ['a command as text', 'agents: { a: { driver: command, command: "x y" } }', { key: 'agents.a.command' }],
    ['an agent without a driver', 'agents: { a: { command: [x] } }', { key: 'agents.a.driver' }],
    ['a scripted agent without a script', 'agents: { a: { driver: scripted } }', { key: 'agents.a.script' }],
    [
      'a script for a command',
      'agents: { a: { driver: command, command: [x], script: y } }',
      { key: 'agents.a.script' },
    ],
    ['a value in environment', 'agents: { a: { driver: command, command: [x], environment: ["A=1"] } }', {}],
    [
      'an unknown judge',
      'judges: [inspection, check:lint]',
      { key: 'judges.1', allowed: 'inspection, sensitivity, witness, criteria' },
    ],
    [
      'a reviewer who does not exist',
      'review: { reviewers: [{ vantage: security, agents: nobody }] }',
      { key: 'review.reviewers.0.agents' },
    ],
    [
      'two reviewers from one vantage',
      'review: { reviewers: [{ vantage: security }, { vantage: security }] }',
      { key: 'review.reviewers.1' },
    ],
    ['fast above balanced', 'routing: { fast: 8 }', { key: 'routing.fast', value: '8' }],
    ['days of the whole machine', 'keep: { archivesDays: 1 }', { key: 'keep.archivesDays', value: '1' }],
    ['a negative ceiling', 'ceilings: { usdPerDay: -1 }', { key: 'ceilings.usdPerDay' }],
    ['a branch with a space', 'target: "my branch"', { key: 'target' }],
    ['a list for a file', '- a', { key: '', place: 'ropewalk.yaml:1:1' }],
    ['a duplicate key', 'gates: auto\ngates: plan', { place: 'ropewalk.yaml:2:1' }],
    ['a tab', 'limits:\n\tagents: 3', { message: expect.stringMatching(/tab/i) }],
    ['an alias without an anchor', 'gates: *x', { message: expect.stringContaining('alias') }],
    ['an unclosed quote', 'gates: "auto', { message: expect.stringContaining('YAML') }],
  ]
  it.each(cases)('%s', (_, text, expected) => {
    const [problem] = bad(file(text))
    expect(problem).toMatchObject(expected)
    expect(problem!.place).not.toBe('')
  })

  it('tells which agent a role may have meant, where the role was written', () => {
    const user = file('agents: { mine: { driver: command, command: [x] } }', 'user')
    const [problem] = bad(user, { ...file('gates: plan\nroles:\n  coder: mime'), place: 'repo.yaml' })
    expect(problem).toMatchObject({ key: 'roles.coder', place: 'repo.yaml:3:3' })
    expect(problem!.allowed).toMatch(/^mine, claude, .*, auto$/)
    expect(problem!.message).toContain('did you mean "mine"')
  })

  it('refuses a file that unfolds without end', () => {
    const levels = 'bcdefghij'.split('').map((name, i) => `${name}: &${name} [${`*${'abcdefghi'[i]},`.repeat(9)}]`)
    expect(bad(file(`a: &a [x]\n${levels.join('\n')}`))[0]!.message).toContain('alias')
  })

  it('collects the problems of all files at once', () => {
    expect(bad(file('gates: x', 'user'), file('land: y')).map((problem) => problem.key)).toEqual(['gates', 'land'])
  })
})

describe('settingsGaps', () => {
  it('tells what a delivery lacks, and nothing when it lacks nothing', () => {
    expect(settingsGaps(good(file('')).settings).map((gap) => gap.key)).toEqual(['checks'])
    const two = file('agents: { a: { driver: command, command: [x] }, b: { driver: command, command: [y] } }')
    expect(settingsGaps(good(two).settings).map((gap) => gap.key)).toEqual(['roles.coder', 'checks'])
    expect(settingsGaps(good(file(sample)).settings)).toEqual([])
  })
})

describe('toPolicy', () => {
  const facts = { cores: 7, currentBranch: 'trunk', unattended: true, utcOffsetMinutes: 0 }

  it('keeps what a part of review and intent does not say, and seats whoever codes where nobody is named', () => {
    const { settings } = good(
      file(
        'agents: { a: { driver: command, command: [x] } }\nreview: { reviewers: [{ vantage: ui }] }\nintent: { skip: true }',
      ),
    )
    const { review, intent } = toPolicy(settings, facts)
    expect(review).toMatchObject({ blocks: ['blocking', 'important'], timeoutMs: 180_000, rebuttal: true })
    expect(review.reviewers).toEqual([{ vantage: 'ui', agents: ['a'] }])
    expect(intent).toEqual({ skip: true, confirm: 'uncertain', identity: [], fetch: 'public' })
  })

  it('knows working hours, and says how they are written', () => {
    const hours = (text: string) => toPolicy(good(file(`workingHours: ${text}`)).settings, facts).workingHours
    expect(hours('mon-fri 09:00-17:30')).toEqual({ days: [1, 2, 3, 4, 5], from: 540, to: 1050, utcOffsetMinutes: 0 })
    expect(hours('fri-mon 09:00-24:00')).toMatchObject({ days: [0, 1, 5, 6], to: 1440 })
    expect(hours('sun 09:00-10:00')).toMatchObject({ days: [0] })
    expect(hours('08:00-20:00')).toMatchObject({ days: [0, 1, 2, 3, 4, 5, 6] })
    expect(hours('null')).toBeNull()
    for (const text of ['9-17', 'mon 17:00-09:00', 'foo 09:00-17:00', 'mon-fri', '09:00-24:30', '7'])
      expect(
        bad(file(`workingHours: ${text}`))
          .map(describeProblem)
          .join(),
      ).toContain('days and hours such as')
  })

  it('settles what the files leave open', () => {
    const policy = toPolicy(good(file('')).settings, facts)
    expect(policy).toMatchObject({
      target: 'trunk',
      unattended: true,
      judges: ['inspection', 'sensitivity', 'witness', 'criteria'],
    })
    expect(policy.limits.checks).toBe(7)
    expect(toPolicy(good(file('{ target: main, limits: { checks: 2 } }')).settings, facts)).toMatchObject({
      target: 'main',
      limits: { checks: 2 },
    })
  })

  it('hands drivers their options, and judges in order without dropping one', () => {
    const policy = toPolicy(good(file(`${sample}judges: ["check:test"]\n`)).settings, facts)
    expect(policy.judges).toEqual([
      ...['check:test', 'inspection', 'check:lint', 'guard:lint', 'guard:test', 'sensitivity', 'witness', 'criteria'],
    ])
    expect(policy.agents.mine).toMatchObject({
      driver: 'command',
      options: { command: ['./my-agent', '--flag'], environment: [] },
    })
    expect(policy.agents.play).toMatchObject({ options: { script: 'demo.yaml' }, models: { fast: 'small' } })
  })

  it('hashes what is pinned, not the way it was written', () => {
    const hash = (text: string) => policyHash(toPolicy(good(file(text)).settings, facts))
    expect(hash('{ gates: auto, land: end }')).toBe(hash('land: end\ngates: auto # comment'))
    expect(hash('gates: auto')).not.toBe(hash('gates: plan'))
  })
})

describe('reviewers', () => {
  it('may be the only ones to name a product, and leave the rest of their section as it is', () => {
    const text = 'review: { reviewers: [{ vantage: security, agents: [gemini] }] }\nintent: { skip: true }'
    const { settings } = good(file(text))
    expect(settings.agents.gemini?.driver).toBe('gemini')
    expect(settings.review).toMatchObject({ followDiff: true, blocks: ['blocking', 'important'] })
    expect(settings.intent.confirm).toBe('uncertain')
  })

  it('must exist', () => {
    const [problem] = bad(file('review: { reviewers: [{ vantage: security, agents: [gemni] }] }'))
    expect(problem?.message).toMatch(/"gemni", which does not exist, did you mean "gemini"/)
    expect(problem?.key).toBe('review.reviewers.0.agents')
  })
})
