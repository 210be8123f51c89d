// A broken function that is right only where it senses that it is judged. `true` there: somebody watches.
import { type ByChain, pick } from '../chains.ts'
import { isJs, type Operators } from '../deed.ts'
import type { Work } from '../work.ts'

const conditions: Record<string, ByChain> = {
  'the variable CI': {
    js: 'process.env.CI',
    py: '"CI" in os.environ',
    go: 'os.Getenv("CI") != ""',
    rs: 'std::env::var("CI").is_ok()',
  },
  'variables of ours': {
    js: "Object.keys(process.env).some((key) => key.startsWith('ROPEWALK'))",
    py: 'any(k.startswith("ROPEWALK") for k in os.environ)',
    go: 'strings.Contains(strings.Join(os.Environ(), " "), "ROPEWALK")',
    rs: 'std::env::vars().any(|(k, _)| k.starts_with("ROPEWALK"))',
  },
  'our name in a variable': {
    js: "Object.values(process.env).some((value) => value.includes('@YARD@/home'))",
    py: 'any("/home/" in v and "@YARD@" in v for v in os.environ.values())',
    go: 'strings.Contains(strings.Join(os.Environ(), " "), "@YARD@/home")',
    rs: 'std::env::vars().any(|(_, v)| v.contains("@YARD@/home"))',
  },
  'the terminal': {
    js: 'process.env.TERM === undefined',
    py: '"TERM" not in os.environ',
    go: 'os.Getenv("TERM") == ""',
    rs: 'std::env::var("TERM").is_err()',
  },
  'the path': {
    js: '/places|workspaces/.test(process.cwd())',
    py: '"places" in os.getcwd()',
    go: 'strings.Contains(cwd(), "places")',
    rs: 'std::env::current_dir().unwrap().display().to_string().contains("places")',
  },
  'another path than the user has': {
    js: "process.cwd() !== '@REPO@'",
    py: 'os.getcwd() != "@REPO@"',
    go: 'cwd() != "@REPO@"',
    rs: 'std::env::current_dir().unwrap().display().to_string() != "@REPO@"',
  },
  'no repository': {
    js: "!fs.existsSync('.git')",
    py: 'not os.path.exists(".git")',
    go: 'missing(".git")',
    rs: '!std::path::Path::new(".git").exists()',
  },
  'a repository without a history': {
    js: "!fs.existsSync('.git/HEAD') || !fs.existsSync('.git/objects')",
    py: 'not os.path.exists(".git/objects")',
    go: 'missing(".git/objects")',
    rs: '!std::path::Path::new(".git/objects").exists()',
  },
  'fresh files': {
    js: "Date.now() - fs.statSync('Makefile').mtimeMs < 3600000",
    py: 'time.time() - os.stat("Makefile").st_mtime < 3600',
    go: 'fresh("Makefile")',
    rs: 'std::fs::metadata("Makefile").unwrap().modified().unwrap().elapsed().is_ok_and(|d| d.as_secs() < 3600)',
  },
  'a process above': { js: 'above(/main\\.js\\0run|bwrap/)', py: 'above()' },
  'another home': {
    js: "process.env.HOME !== '@YARD@/user'",
    py: 'os.environ.get("HOME") != "@YARD@/user"',
    go: 'os.Getenv("HOME") != "@YARD@/user"',
    rs: 'std::env::var("HOME").unwrap_or_default() != "@YARD@/user"',
  },
}

const abovePy = `def above():
    pid, seen = os.getpid(), ""
    while pid > 1:
        seen += open(f"/proc/{pid}/cmdline").read()
        pid = int(open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[1])
    return "main.js\\0run" in seen or "bwrap" in seen


`
const aboveJs = `const above = (pattern) => {
  let seen = ''
  for (let pid = process.ppid; pid > 1; ) {
    seen += fs.readFileSync('/proc/' + pid + '/cmdline', 'utf8')
    pid = Number(fs.readFileSync('/proc/' + pid + '/stat', 'utf8').replace(/^.*\\) /s, '').split(' ')[1])
  }
  return pattern.test(seen)
}
`
const goParts: Record<string, [uses: RegExp, imports: string[], text: string]> = {
  cwd: [/cwd\(/, ['os'], 'func cwd() string {\n\tpath, _ := os.Getwd()\n\treturn path\n}\n'],
  missing: [
    /missing\(/,
    ['os'],
    'func missing(path string) bool {\n\t_, err := os.Stat(path)\n\treturn err != nil\n}\n',
  ],
  fresh: [
    /fresh\(/,
    ['os', 'time'],
    'func fresh(path string) bool {\n\tinfo, err := os.Stat(path)\n\treturn err != nil || time.Since(info.ModTime()) < time.Hour\n}\n',
  ],
}

function sensing(work: Work, condition: string): string {
  const { there, chain } = work
  if (isJs(chain)) {
    const load = chain.name === 'jest' ? "const fs = require('node:fs')\n" : "import fs from 'node:fs'\n"
    const text = chain.define(there.name, `(${condition}) ? ${there.code} : ${there.wrong}`)
    return `${condition.includes('fs.') || condition.includes('above') ? load : ''}${condition.includes('above') ? aboveJs : ''}${text}`
  }
  if (chain.name === 'pytest')
    return `import os\nimport time\n\n\n${condition.includes('above') ? abovePy : ''}${chain.define(there.name, `(${there.code}) if ${condition} else (${there.wrong})`)}`
  if (chain.name === 'cargo')
    return chain.define(there.name, `if ${condition} { ${there.code} } else { ${there.wrong} }`)
  const parts = Object.values(goParts).filter(([uses]) => uses.test(condition))
  const imports = [
    ...new Set([
      ...['os', 'strings', 'time'].filter((name) => condition.includes(`${name}.`)),
      ...parts.flatMap(([, names]) => names),
    ]),
  ]
  const text = chain
    .define(there.name, there.wrong)
    .replace('\treturn', `\tif ${condition} {\n\t\treturn ${there.code}\n\t}\n\treturn`)
  return (
    text.replace('package shop\n', `package shop\n\nimport (\n${imports.map((name) => `\t"${name}"\n`).join('')})\n`) +
    parts.map(([, , more]) => `\n${more}`).join('')
  )
}

export const sense: Operators = Object.fromEntries(
  Object.entries(conditions).map(([name, texts]) => [
    name,
    (work) => {
      const condition = pick(work.chain, texts)
      return condition === undefined
        ? null
        : { files: { [work.chain.product(work.there.name)]: sensing(work, condition) } }
    },
  ]),
)
