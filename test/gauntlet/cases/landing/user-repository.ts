// What users do to their own repository meanwhile, and names that programs stumble over.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { write } from '../../../empty-repository.ts'
import type { Case, Run } from '../../case.ts'
import type { Yard } from '../../yard.ts'

/** The agent works, says so, and waits until it may go on. */
const pausing = 'work; touch "$YARD/worked"; while [ ! -e "$YARD/go" ]; do sleep 0.05; done'

/** Something happens in the user's repository while the agent is at work. */
const meanwhile =
  (act: (yard: Yard) => void) =>
  async (yard: Yard): Promise<Run[]> => [
    await yard.deliverAnd('worked', () => {
      act(yard)
      writeFileSync(join(yard.folder, 'go'), '')
    }),
  ]

const names = [
  'src/naïve – café.js',
  'src/with space.js',
  'src/"quoted".js',
  'src/back\\slash.js',
  'src/-dash.js',
  'src/--help',
  'src/line\nbreak.js',
  'src/tab\there.js',
  'src/*star?.js',
  'src/$HOME `id`.js',
  'src/:colon.js',
  'src/Case.js',
  'src/case.js',
  'src/#hash.js',
  '-rf',
]

export const userRepository: Case[] = [
  {
    code: 'FF2',
    name: 'the index is locked when it lands, and never released',
    expect: 'caught',
    agent: 'work',
    drive: async (yard) => {
      writeFileSync(join(yard.repo, '.git/index.lock'), '')
      return [await yard.deliverAnd(/index\.lock is in the way/, (running) => running.stop())]
    },
    disturbs: ['gitFolder'],
    names: /index\.lock is in the way/,
  },
  {
    code: 'FF2',
    name: 'the index is locked when it lands, and released soon',
    expect: 'passes',
    agent: 'work',
    drive: async (yard) => {
      const lock = join(yard.repo, '.git/index.lock')
      writeFileSync(lock, '')
      return [await yard.deliverAnd(/on the line as/, () => setTimeout(() => rmSync(lock), 500))]
    },
  },
  {
    code: 'FF2',
    name: 'the index is locked when it lands, and released after we have given up for now',
    expect: 'passes',
    agent: 'work',
    drive: async (yard) => {
      const lock = join(yard.repo, '.git/index.lock')
      writeFileSync(lock, '')
      const first = await yard.deliverAnd(/index\.lock is in the way/, (running) => running.stop())
      rmSync(lock)
      return [first, await yard.ropewalk('resume')]
    },
  },
  {
    code: 'FF3',
    name: 'odd names arrive byte for byte',
    expect: 'passes',
    agent: `work; node - "$PWD" <<'NAMES'
const fs = require('node:fs')
for (const name of ${JSON.stringify(names)}) fs.writeFileSync(name, '// ' + JSON.stringify(name))
NAMES`,
    after: ({ git, repo }) => {
      const landed = git('ls-tree', '-r', '-z', '--name-only', 'main').split('\0')
      for (const name of names) {
        expect(landed).toContain(name)
        expect(readFileSync(join(repo, name), 'utf8')).toBe(`// ${JSON.stringify(name)}`)
      }
    },
  },
  {
    code: 'FF3',
    name: 'deletes and renames odd names',
    expect: 'passes',
    files: Object.fromEntries(names.map((name) => [name, `// ${name}`])),
    agent: `work; node - "$PWD" <<'NAMES'
const fs = require('node:fs')
for (const [at, name] of ${JSON.stringify(names)}.entries()) at % 2 ? fs.rmSync(name) : fs.renameSync(name, name + ' 2')
NAMES`,
    after: ({ git }) =>
      expect(git('ls-tree', '-r', '-z', '--name-only', 'main').split('\0')).toEqual(
        expect.arrayContaining([`${names[0]} 2`, `${names[6]} 2`]),
      ),
  },
  {
    code: 'FF3',
    name: 'deletes a test with an odd name',
    expect: 'caught',
    files: {
      'test/naïve "x"\n.test.js':
        "import test from 'node:test'\nimport assert from 'node:assert'\ntest('odd', () => assert.ok(Number('1')))\n",
    },
    agent: 'work; rm test/na*',
    names: /na.*ve/,
  },
  {
    code: 'FF7',
    name: 'the checkout has changes that are not committed',
    expect: 'caught',
    agent: 'work',
    drive: async (yard) => {
      write(yard.repo, { 'src/sum.js': '// being edited\n' })
      return [await yard.deliver()]
    },
    disturbs: ['files'],
    names: /src\/sum\.js/,
    after: ({ repo }) => expect(readFileSync(join(repo, 'src/sum.js'), 'utf8')).toBe('// being edited\n'),
  },
  {
    code: 'FF7',
    name: 'the checkout has changes, which are then committed elsewhere',
    expect: 'passes',
    agent: 'work',
    drive: async (yard) => {
      write(yard.repo, { 'src/sum.js': '// being edited\n' })
      const first = await yard.deliver()
      yard.git('checkout', '-q', '--', 'src/sum.js')
      return [first, await yard.ropewalk('land')]
    },
    after: (_, runs) => expect(runs[0]!.code).toBe(2),
  },
  {
    code: 'FF7',
    name: 'a file that is not tracked is where one is to land',
    expect: 'caught',
    agent: 'work',
    drive: async (yard) => {
      write(yard.repo, { 'src/multiply.js': 'mine\n' })
      return [await yard.deliver()]
    },
    disturbs: ['files'],
    names: /src\/multiply\.js/,
    after: ({ repo }) => expect(readFileSync(join(repo, 'src/multiply.js'), 'utf8')).toBe('mine\n'),
  },
  {
    code: 'FF7',
    name: 'files that are not tracked lie elsewhere',
    expect: 'passes',
    agent: 'work',
    drive: async (yard) => {
      write(yard.repo, { 'notes.txt': 'mine\n', 'src/draft.js': 'mine\n' })
      return [await yard.deliver()]
    },
    after: ({ repo }) => expect(existsSync(join(repo, 'src/draft.js'))).toBe(true),
  },
  {
    code: 'FF7',
    name: 'the target is not checked out',
    expect: 'passes',
    agent: 'work',
    settings: { target: 'main' },
    drive: async (yard) => {
      yard.git('checkout', '-q', '-b', 'elsewhere')
      write(yard.repo, { 'src/sum.js': '// being edited\n' })
      return [await yard.deliver()]
    },
    disturbs: ['head', 'branches', 'files', 'worktrees'],
    after: ({ repo, git }) => {
      expect(readFileSync(join(repo, 'src/sum.js'), 'utf8')).toBe('// being edited\n')
      expect(git('symbolic-ref', 'HEAD')).toBe('refs/heads/elsewhere')
    },
  },
  {
    code: 'FF7',
    name: 'the user commits meanwhile, and it goes together',
    expect: 'passes',
    agent: pausing,
    drive: meanwhile((yard) => {
      write(yard.repo, { 'README.md': '# Shop\n' })
      yard.git('add', '-A')
      yard.git('commit', '-q', '-m', 'Describe it')
    }),
    after: ({ git }) =>
      expect(git('log', '--format=%s', 'main').split('\n')).toEqual(['Do multiply', 'Describe it', 'Begin']),
  },
  {
    code: 'FF7',
    name: 'the user commits meanwhile what breaks the story',
    expect: 'caught',
    agent: pausing,
    drive: meanwhile((yard) => {
      write(yard.repo, {
        'test/strict.test.js': `import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import test from 'node:test'

test('there is one source', () => {
  assert.deepEqual(readdirSync('src'), ['sum.js'])
})
`,
      })
      yard.git('add', '-A')
      yard.git('commit', '-q', '-m', 'Be strict')
    }),
    disturbs: ['index', 'files', 'gitFolder'],
    names: /there is one source/,
  },
  {
    code: 'FF7',
    name: 'the user commits meanwhile what conflicts with the story',
    expect: 'caught',
    agent: `[ "$ROPEWALK_ROUND" = 1 ] || exit 9; ${pausing}`,
    drive: meanwhile((yard) => {
      write(yard.repo, { 'src/multiply.js': 'export const multiply = () => NaN\n' })
      yard.git('add', '-A')
      yard.git('commit', '-q', '-m', 'Own multiplication')
    }),
    disturbs: ['index', 'files', 'gitFolder'],
    names: /src\/multiply\.js/,
  },
  {
    code: 'FF7',
    name: 'the user takes a commit back meanwhile',
    expect: 'passes',
    agent: pausing,
    drive: async (yard) => {
      write(yard.repo, { 'mistake.txt': 'x' })
      yard.git('add', '-A')
      yard.git('commit', '-q', '-m', 'A mistake')
      return await meanwhile(() => yard.git('reset', '-q', '--hard', yard.base))(yard)
    },
    disturbs: ['gitFolder'],
    after: ({ git }) => {
      expect(git('log', '--format=%s', 'main').split('\n')).toEqual(['Do multiply', 'Begin'])
      expect(git('ls-tree', '--name-only', 'main')).not.toContain('mistake')
    },
  },
  {
    code: 'FF7',
    name: 'the user replaces the history meanwhile',
    expect: 'passes',
    agent: pausing,
    drive: meanwhile((yard) => {
      yard.git('commit', '-q', '--amend', '-m', 'Begin again')
    }),
    disturbs: ['gitFolder'],
    after: ({ git }) => expect(git('log', '--format=%s', 'main').split('\n')).toEqual(['Do multiply', 'Begin again']),
  },
  {
    code: 'FF7',
    name: 'the user deletes the target meanwhile',
    expect: 'caught',
    agent: pausing,
    drive: meanwhile((yard) => {
      yard.git('checkout', '-q', '--detach')
      yard.git('branch', '-q', '-D', 'main')
    }),
    disturbs: ['head', 'branches', 'worktrees', 'gitFolder'],
    names: /"main" is gone/,
  },
]
