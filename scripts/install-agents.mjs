// The pinned agents of agents.json and a Node of their own into .cache/agents, each in its own folder; bin/<name> starts one.
// npm runs under that Node, because on an older one it leaves out what does not fit the engines field. Install scripts
// are not run, except the one that puts the program in its place.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..', '.cache', 'agents')
export const pinned = JSON.parse(readFileSync(join(import.meta.dirname, 'agents.json'), 'utf8'))

/** Installs what is missing or of another version; the names of those that could not be. */
export function installAgents(names = Object.keys(pinned.agents)) {
  mkdirSync(join(root, 'bin'), { recursive: true })
  const node = installNode()
  return names.filter((name) => !installed(name, pinned.agents[name], node))
}

function installNode() {
  const folder = join(root, 'node')
  const node = join(folder, 'node_modules', pinned.node.package, pinned.node.bin)
  if (versionIn(folder, pinned.node) !== pinned.node.version) npmInstall(process.execPath, folder, pinned.node)
  if (!existsSync(node)) throw new Error(`${pinned.node.package}@${pinned.node.version} could not be installed`)
  return node
}

function installed(name, agent, node) {
  const folder = join(root, name)
  const done = join(folder, 'done')
  const wanted = `${agent.package}@${agent.version}\n`
  if (existsSync(done) && readFileSync(done, 'utf8') === wanted) return true
  console.log(`installing ${wanted.trim()}`)
  rmSync(folder, { recursive: true, force: true })
  if (!npmInstall(node, folder, agent) || versionIn(folder, agent) !== agent.version) return false
  const packageFolder = join(folder, 'node_modules', agent.package)
  if (agent.after !== undefined && run(node, [agent.after], packageFolder).status !== 0) return false
  writeStarter(name, { folder: packageFolder, bin: agent.bin, node })
  writeFileSync(done, wanted)
  return true
}

function npmInstall(node, folder, { package: name, version }) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const flags = ['--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  return run(node, [npmProgram(), 'install', ...flags, '--save-exact', `${name}@${version}`], folder).status === 0
}

function npmProgram() {
  if (process.env.npm_execpath?.endsWith('npm-cli.js')) return process.env.npm_execpath
  const found = process.env.PATH.split(delimiter).map((folder) => join(folder, 'npm'))
  return realpathSync(found.find((path) => existsSync(path)))
}

function versionIn(folder, { package: name }) {
  try {
    return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version
  } catch {
    return null
  }
}

/** JavaScript is run with our Node whatever is first on the PATH; a native program is run as it is. */
function writeStarter(name, { folder, bin, node }) {
  const { bin: declared } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const program = join(folder, typeof declared === 'string' ? declared : declared[bin])
  const isScript = readFileSync(program).subarray(0, 2).toString() === '#!' || /\.[cm]?js$/.test(program)
  const path = join(root, 'bin', name)
  writeFileSync(path, `#!/bin/sh\nexec ${isScript ? `'${node}' ` : ''}'${program}' "$@"\n`)
  chmodSync(path, 0o755)
}

function run(program, args, cwd) {
  const env = { ...process.env, PATH: `${join(program, '..')}${delimiter}${process.env.PATH}` }
  return spawnSync(program, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] })
}
