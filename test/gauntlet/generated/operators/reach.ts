// What code does at the time of a check besides being tested, or an agent besides coding. Everything that it leaves
// has the word `reached` in it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Deed } from '../deed.ts'
import type { Work } from '../work.ts'

export interface Yardlike {
  folder: string
  repo: string
}

interface Reach {
  shell: string
  /** Where it shows that it was done. */
  shows: (yard: Yardlike) => boolean
  /** Only an agent can do this. */
  by?: 'agent'
}

export const secret = 'correct-horse-battery-9431'
const holds = (path: string, word = 'reached') => existsSync(path) && readFileSync(path, 'latin1').includes(word)
const isMarked = (path: string) => existsSync(path) && /^# reached$/m.test(readFileSync(path, 'latin1'))
const answers = (to: string): Reach => ({
  shell: `rm -f "$ROPEWALK_RESULT"; ${to} "$ROPEWALK_RESULT"`,
  shows: ({ folder }) => under(join(folder, 'home'), (file) => holds(file, secret)),
  by: 'agent',
})
const under = (folder: string, found: (path: string) => boolean): boolean =>
  existsSync(folder) &&
  readdirSync(folder, { recursive: true, withFileTypes: true }).some(
    (entry) => entry.isFile() && found(join(entry.parentPath, entry.name)),
  )

const write = (path: string): Reach => ({
  shell: `mkdir -p "$(dirname "${path}")"; echo '# reached' >> "${path}"`,
  shows: ({ folder, repo }) => isMarked(path.replace('@YARD@', folder).replace('@REPO@', repo)),
})
const tell = (path: string): Reach => ({
  shell: `cat "@YARD@/user/${path}"`,
  shows: ({ folder }) => under(join(folder, 'home'), (file) => holds(file, secret)),
})
const inAll = (folder: string): Reach => ({
  shell: `here="$(pwd -P)"; for other in "@YARD@/home/${folder}"/* "@YARD@/home/${folder}"/*/*; do case "$here/" in "$other"/*) ;; *) [ -d "$other" ] && touch "$other/reached";; esac; done`,
  shows: ({ folder: yard }) => under(join(yard, 'home', folder), (file) => file.endsWith('/reached')),
})

export const reaches: Record<string, Reach> = {
  "a file of the user's checkout": write('@REPO@/notes.txt'),
  "the settings in the user's checkout": write('@REPO@/ropewalk.yaml'),
  'the configuration of git': write('@REPO@/.git/config'),
  'a hook of git': write('@REPO@/.git/hooks/post-commit'),
  'an exclude of git': write('@REPO@/.git/info/exclude'),
  'a branch of the user': {
    shell: 'git -C "@REPO@" branch reached main',
    shows: ({ repo }) => existsSync(join(repo, '.git/refs/heads/reached')),
  },
  'the target itself': {
    shell: 'cd "@REPO@" && git -c user.name=x -c user.email=x@x commit -q --allow-empty -m reached',
    shows: ({ repo }) => holds(join(repo, '.git/logs/HEAD')),
  },
  ...Object.fromEntries(
    [
      '.bashrc',
      '.profile',
      '.gitconfig',
      '.npmrc',
      '.ssh/authorized_keys',
      '.config/git/config',
      '.local/bin/node',
      '.cargo/config.toml',
      '.config/go/env',
      '.cache/reached',
    ].map((file) => [`~/${file}`, write(`@YARD@/user/${file}`)]),
  ),
  ...Object.fromEntries(
    [
      'reached',
      'log.sqlite',
      'holdings.sqlite',
      'blobs/reached',
      'memory/reached.md',
      'pools/reached',
      'results/reached',
      'spools/reached',
      'agents/reached',
      'wake/reached',
      'pulses/reached',
    ].map((file) => [`our home: ${file}`, write(`@YARD@/home/${file}`)]),
  ),
  'our clone': inAll('repositories'),
  'places of others': inAll('places'),
  'workspaces of others': inAll('workspaces'),
  'a forged proof': {
    shell: `python3 -c 'import sqlite3,sys
d=sqlite3.connect("@YARD@/home/log.sqlite",timeout=5)
t=[r[0] for r in d.execute("select name from sqlite_master where type=\\"table\\"")]
d.execute("create table if not exists reached (x)")
d.commit()'`,
    shows: ({ folder }) =>
      ['log.sqlite', 'log.sqlite-wal'].some((file) => holds(join(folder, 'home', file), 'TABLE reached')),
  },
  'an answer that is a link': answers('ln -s "@YARD@/user/.netrc"'),
  'an answer that is a pipe': answers('mkfifo'),
  'an answer that is a device': answers('ln -s /dev/zero'),
  'an answer that is a folder': answers('mkdir'),
  'somewhere else': write('@YARD@/elsewhere/reached'),
  'a process that stays': {
    shell: 'cd "@REPO@"; (setsid sleep 8642 >/dev/null 2>&1 </dev/null &)',
    shows: () => false,
  },
  'a process that stays, twice forked': {
    shell: '(cd "@YARD@"; (setsid nohup sh -c "sleep 8643; true" >/dev/null 2>&1 </dev/null &) &)',
    shows: () => false,
  },
  ...Object.fromEntries(
    ['.netrc', '.aws/credentials', '.ssh/id_ed25519', '.config/gh/hosts.yml'].map((file) => [
      `tells ~/${file}`,
      tell(file),
    ]),
  ),
}

/** The honest work, with a call of the script in it. */
export function reaching(work: Work, reach: Reach, by: 'product' | 'test' | 'agent'): Deed {
  if (by === 'agent') return { sound: true, shell: `(\n${reach.shell}\n)` }
  const path = by === 'product' ? work.chain.product(work.added.name) : work.chain.test(work.added.name)
  const whole = calling(work, { by, text: work.done[path]! })
  return { sound: true, files: { [path]: whole, 'tools/prepare.sh': `${reach.shell}\ntrue\n` } }
}

function calling({ chain }: Work, { by, text }: { by: 'product' | 'test'; text: string }): string {
  if (chain.name === 'pytest') return `import subprocess\n\nsubprocess.run(["sh", "tools/prepare.sh"])\n${text}`
  if (chain.name === 'cargo')
    return text.replace('{\n', '{\n    let _ = std::process::Command::new("sh").arg("tools/prepare.sh").status();\n')
  if (chain.name === 'go')
    return `${text.replace(/package shop\n(\nimport "testing"\n)?/, `package shop\n\nimport (\n\t"os"\n\t"os/exec"\n${by === 'test' ? '\t"testing"\n' : ''})\n`)}\nfunc init() {\n\tcommand := exec.Command("sh", "tools/prepare.sh")\n\tcommand.Stdout = os.Stdout\n\tcommand.Run()\n}\n`
  const load =
    chain.name === 'jest'
      ? "const { spawnSync } = require('node:child_process')\n"
      : "import { spawnSync } from 'node:child_process'\n"
  return `${load}${text}\nspawnSync('sh', ['tools/prepare.sh'], { stdio: 'inherit' })\n`
}
