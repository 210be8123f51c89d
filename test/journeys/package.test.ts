import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { exits, start } from './binary.ts'

let folder = ''
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the package', () => {
  it('installed into an empty folder, with an empty home, delivers the demo, killed in the middle', async () => {
    folder = mkdtempSync(join(tmpdir(), 'ropewalk-package-'))
    const [place, home] = [join(folder, 'place'), join(folder, 'home')]
    for (const path of [place, home]) mkdirSync(path)
    // Without scripts: it is built already, and other tests are using it.
    const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
    const packed = join(folder, execFileSync('npm', pack, { encoding: 'utf8' }).trim())
    const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim()
    const env = { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: folder, npm_config_cache: cache }
    const run = (program: string, ...args: string[]) => start({ program, args, cwd: place, env, input: '' }).done
    writeFileSync(join(place, 'package.json'), '{"private":true}')
    exits(await run('npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', packed), 0)
    expect(exits(await run('npx', 'ropewalk', '--version'), 0).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(exits(await run('npx', 'ropewalk', 'config', '--schema'), 0).stdout).toMatch(/"roundsPerAttempt"/)
    const demo = exits(await run('npx', 'ropewalk', 'demo', '--kill'), 0)
    expect(demo.stdout).toMatch(/kill -9[\s\S]*Merged to main: 5 stories/)
    // Everything is in the demo's own folder.
    expect(readdirSync(home)).toEqual([])
  })
})
