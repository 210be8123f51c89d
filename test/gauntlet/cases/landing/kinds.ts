// Every kind of repository that a user may have.
import { existsSync, mkdirSync, readFileSync, renameSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { write } from '../../../empty-repository.ts'
import type { Case, World } from '../../case.ts'

const pointer = `version https://git-lfs.github.com/spec/v1
oid sha256:${'4d7a2146'.repeat(8)}
size 12345678
`

/** The repository that was made is the origin now, and the user has something else in its place. */
const instead =
  (make: (place: World & { origin: string }) => void) =>
  (place: World): void => {
    const origin = join(place.folder, 'origin')
    renameSync(place.repo, origin)
    mkdirSync(place.repo)
    make({ ...place, origin })
  }

const commitAll = ({ git }: World, message: string): void => {
  git('add', '-A')
  git('commit', '-q', '-m', message)
}

const withSubmodule = (place: World): void => {
  const library = join(place.folder, 'library')
  place.git('clone', '-q', place.repo, library)
  place.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib')
  commitAll(place, 'Use a library')
}

const withPointer = (place: World): void => {
  write(place.repo, { '.gitattributes': '*.psd filter=lfs diff=lfs merge=lfs -text\n', 'art/shop.psd': pointer })
  // So old that git need not look into it to know that it has not changed.
  utimesSync(join(place.repo, 'art/shop.psd'), 1e9, 1e9)
  commitAll(place, 'Draw it')
  // Git LFS is set up, and is not on this machine.
  for (const [key, value] of [
    ['clean', 'git-lfs clean -- %f'],
    ['smudge', 'git-lfs smudge -- %f'],
    ['required', 'true'],
  ])
    place.git('config', `filter.lfs.${key}`, value!)
}

const pointsElsewhere = `work; sed -i 's/^size .*/size 7/' art/shop.psd`

const one = (name: string, more: Partial<Case>): Case => ({
  code: 'FF4',
  name,
  expect: 'passes',
  agent: 'work',
  ...more,
})

export const kinds: Case[] = [
  one('there is no commit yet', {
    expect: 'caught',
    world: ({ git }) => git('update-ref', '-d', 'refs/heads/main'),
    names: /no commit yet/,
  }),
  one('HEAD is detached, and nobody says where to land', {
    expect: 'caught',
    world: ({ git }) => git('checkout', '-q', '--detach'),
    names: /HEAD is detached/,
  }),
  one('HEAD is detached, and the target is named', {
    settings: { target: 'main' },
    world: ({ git }) => git('checkout', '-q', '--detach'),
    after: ({ git, base }) => expect(git('rev-parse', 'HEAD')).toBe(base),
  }),
  one('it is shallow', {
    world: instead(({ repo, origin, git }) => {
      write(origin, { 'README.md': '# Shop\n' })
      git('-C', origin, 'add', '-A')
      git('-C', origin, 'commit', '-q', '-m', 'Describe it')
      git('clone', '-q', '--depth', '1', pathToFileURL(origin).href, repo)
    }),
    after: ({ git }) => expect(git('rev-parse', '--is-shallow-repository')).toBe('true'),
  }),
  one('it is bare', {
    world: instead(({ repo, origin, git }) => {
      git('clone', '-q', '--bare', origin, repo)
    }),
  }),
  one('it is a worktree of a worktree', {
    world: instead(({ repo, folder, origin, git }) => {
      git('-C', origin, 'checkout', '-q', '--detach')
      git('-C', origin, 'worktree', 'add', '-q', join(folder, 'first'), '-b', 'first')
      git('-C', join(folder, 'first'), 'worktree', 'add', '-q', repo, 'main')
    }),
    after: ({ folder, git }) => {
      expect(git('-C', join(folder, 'origin'), 'status', '--porcelain')).toBe('')
      expect(git('-C', join(folder, 'first'), 'status', '--porcelain')).toBe('')
    },
  }),
  one('its checkout is sparse', {
    settings: { check: 'node --test test/*.test.js' },
    world: (place) => {
      write(place.repo, { 'docs/guide.md': '# Guide\n', 'art/logo.txt': 'logo\n' })
      commitAll(place, 'More')
      place.git('sparse-checkout', 'set', 'src', 'test')
    },
    agent: 'work; cat art/logo.txt >> docs/guide.md',
    after: ({ repo, git }) => {
      expect(existsSync(join(repo, 'docs/guide.md'))).toBe(false)
      expect(git('show', 'main:docs/guide.md')).toBe('# Guide\nlogo')
    },
  }),
  one('it has a submodule, which stays what it is', {
    world: withSubmodule,
    settings: { check: 'node --test test/*.test.js' },
    after: ({ git, base }) => expect(git('rev-parse', 'main:lib')).toBe(git('rev-parse', `${base}:lib`)),
  }),
  one('it has a submodule, in whose place the agent puts another repository', {
    expect: 'inert',
    world: withSubmodule,
    settings: { check: 'node --test test/*.test.js' },
    agent: `work; mkdir -p lib; cd lib && git init -q && echo evil > evil.txt && git add -A && git -c user.name=x -c user.email=x commit -q -m Evil`,
    after: ({ git, base }) => expect(git('rev-parse', 'main:lib')).toBe(git('rev-parse', `${base}:lib`)),
  }),
  one('it has pointers to large files, and no program for them', {
    world: withPointer,
    after: ({ git, repo }) => {
      expect(`${git('show', 'main:art/shop.psd')}\n`).toBe(pointer)
      expect(readFileSync(join(repo, 'art/shop.psd'), 'utf8')).toBe(pointer)
    },
    // Without the program nobody can clone it.
    redBase: true,
  }),
  one('the agent puts the large file itself in the place of its pointer', {
    expect: 'caught',
    world: withPointer,
    agent: `work; printf 'PSD\\000\\001\\377' > art/shop.psd`,
    names: /this was a pointer to a large file.* at art\/shop\.psd/,
  }),
  one('the agent points to another large file, and there is no program to bring it', {
    expect: 'caught',
    world: withPointer,
    agent: pointsElsewhere,
    names: /art\/shop\.psd: smudge filter lfs failed/,
  }),
  one('the agent points to another large file, and the program for it comes later', {
    world: withPointer,
    agent: pointsElsewhere,
    drive: async (yard) => {
      const first = await yard.deliver()
      expect(yard.git('rev-parse', 'main'), first.output).toBe(yard.base)
      expect(existsSync(join(yard.repo, '.git/index.lock'))).toBe(false)
      for (const key of ['clean', 'smudge']) yard.git('config', `filter.lfs.${key}`, 'cat')
      return [first, await yard.ropewalk('resume')]
    },
    disturbs: ['config'],
    after: ({ repo }) => expect(readFileSync(join(repo, 'art/shop.psd'), 'utf8')).toContain('size 7\n'),
  }),
  {
    ...one('the branch is not called main', { branch: 'trunk/größer' }),
    code: 'FF5',
    after: ({ git }) => {
      expect(git('for-each-ref', '--format=%(refname)', 'refs/heads')).toBe('refs/heads/trunk/größer')
      expect(git('symbolic-ref', 'HEAD')).toBe('refs/heads/trunk/größer')
    },
  },
  {
    ...one('there is a main besides the branch that is meant, and it stays', { branch: 'develop' }),
    code: 'FF5',
    world: ({ git }) => git('branch', 'main'),
    after: ({ git, base }) => expect(git('rev-parse', 'main')).toBe(base),
  },
]
