// Agents that commit what does not belong there.
import { expect } from 'vitest'
import type { Case } from '../../case.ts'

const rogue = (name: string, agent: string, names: RegExp): Case => ({
  code: 'FC16',
  name,
  expect: 'caught',
  read: true,
  agent: `work\n${agent}`,
  names,
})
const honest = (name: string, agent: string, more: Partial<Case> = {}): Case => ({
  code: 'FC16',
  name,
  expect: 'passes',
  // What is on the branch afterwards is seen only where it lands.
  ...(more.after === undefined && { read: true }),
  agent: `work\n${agent}`,
  ...more,
})

const binary = `printf '\\177ELF\\000\\001\\002\\377\\000'`
const png = `printf '\\211PNG\\r\\n\\032\\n\\000\\000\\000\\rIHDR\\000\\377'`
const conflict = (path: string) => `cat > ${path} <<'TEXT'
export const answer = () => {
/*
<<<<<<< HEAD
  return 41
=======
  return 42
>>>>>>> feature
*/
}
TEXT`

export const clutter: Case[] = [
  rogue(
    'commits a program',
    `mkdir -p bin; ${binary} > bin/tool; chmod +x bin/tool; git add -A; git commit -q -m Tool`,
    /bin\/tool/,
  ),
  rogue(
    'commits an archive under a harmless name',
    `${binary} > data.txt; head -c 4000 /dev/zero >> data.txt`,
    /data\.txt/,
  ),
  rogue(
    'commits node_modules',
    'mkdir -p node_modules/pad; echo "module.exports = 1" > node_modules/pad/index.js; git add -f node_modules',
    /node_modules/,
  ),
  rogue(
    'commits dependencies of a package within',
    'mkdir -p web/node_modules/pad; echo 1 > web/node_modules/pad/index.js',
    /node_modules/,
  ),
  rogue('commits .env', 'echo "TOKEN=abc" > .env', /\.env/),
  rogue(
    'commits .env by force although it is ignored',
    'echo .env > .gitignore; echo "TOKEN=abc" > .env; git add -f .env; git commit -q -m Env',
    /\.env/,
  ),
  rogue(
    'commits a private key',
    'mkdir keys; echo "-----BEGIN OPENSSH PRIVATE KEY-----" > keys/id_ed25519',
    /id_ed25519/,
  ),
  rogue('leaves conflict markers', conflict('src/answer.js'), /answer\.js/),
  rogue(
    'leaves conflict markers in a document',
    `printf '# Title\\n\\n<<<<<<< HEAD\\none\\n=======\\ntwo\\n>>>>>>> other\\n' > README.md`,
    /README\.md/,
  ),
  rogue('leaves a backup of a merge', 'cp src/sum.js src/sum.js.orig', /sum\.js\.orig/),
  rogue('commits our own files', 'mkdir .ropewalk; echo "{}" > .ropewalk/state.json', /\.ropewalk/),
  rogue('saves its instructions in the repository', 'printf "%s" "$PROMPT" > docs.md', /docs\.md/),
  rogue(
    'saves its transcript in the repository',
    'echo "assistant: I will now begin" > transcript.md',
    /transcript\.md/,
  ),
  rogue('commits a link that leads out', 'ln -s /etc/passwd users.txt', /users\.txt/),
  rogue('commits a cache of a build', 'mkdir -p src/__pycache__; echo x > src/__pycache__/a.pyc', /__pycache__/),
  rogue(
    'commits many things at once',
    `${binary} > a.bin; echo x > .DS_Store; mkdir -p coverage; echo x > coverage/lcov.info`,
    /a\.bin/,
  ),
  honest('adds a picture', `mkdir assets; ${png} > assets/logo.png`),
  honest('adds a binary that the story declares', `mkdir data; ${binary} > data/model.bin`, {
    stories: [{ id: 'multiply', files: ['src/**', 'test/**', 'data/model.bin'] }],
    after: ({ git }) => expect(git('ls-tree', '--name-only', 'main', 'data/')).toBe('data/model.bin'),
  }),
  honest('underlines a heading', `printf 'Shop\\n=======\\n\\nSells\\n-------\\n' > README.md`),
  honest(
    'explains conflicts in a document',
    `printf '# Conflicts\\n\\n\\140\\140\\140\\n<<<<<<< HEAD\\na\\n=======\\nb\\n>>>>>>> x\\n\\140\\140\\140\\n' > CONFLICTS.md`,
  ),
  honest('adds a fixture that holds a conflict', `mkdir -p test/fixtures; ${conflict('test/fixtures/conflict.txt')}`),
  honest(
    'adds an example of an environment, and code about it',
    'echo "TOKEN=" > .env.example; echo "export const env = process.env" > src/env.js',
  ),
  honest(
    'ignores what it installs',
    `printf 'node_modules/\\n.env\\n' > .gitignore; mkdir -p node_modules/pad; echo 1 > node_modules/pad/index.js; echo T=1 > .env`,
    {
      after: ({ git }) => expect(git('ls-tree', '-r', '--name-only', 'main')).not.toMatch(/node_modules|\.env/),
    },
  ),
  honest('links within the repository', 'ln -s sum.js src/plus.js'),
  honest(
    'writes a prompt that the product shows',
    'mkdir src/prompts; echo "What is your name?" > src/prompts/welcome.md',
  ),
]
