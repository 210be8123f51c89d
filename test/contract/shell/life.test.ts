import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openShell } from '../../../src/adapters/shell/shell.ts'
import { commandOf, marked, temporaryFolder } from '../shell.ts'

const shell = openShell({ graceMs: 200 })
const node = (script: string) => `"${process.execPath}" -e '${script}'`
const works = node('const t = Date.now(); while (Date.now() - t < 3000);')

it('one that says nothing but works is not idle', async () => {
  const command = commandOf(works, { cwd: temporaryFolder(), idleTimeoutMs: 700 })
  expect(await shell.run(command)).toMatchObject({ reason: 'exited', code: 0, outputBytes: 0 })
})

it('nor is one whose tool works, in a session of its own', async () => {
  const line = `setsid ${works} & wait; exit 5`
  const command = commandOf(line, { cwd: temporaryFolder(), idleTimeoutMs: 700 })
  expect(await shell.run(command)).toMatchObject({ reason: 'exited', code: 5 })
})

it('nor is one in whose folder files change', async () => {
  const cwd = temporaryFolder()
  const file = join(cwd, 'file')
  const writer = setInterval(() => writeFileSync(file, `${performance.now()}`), 100)
  onTestFinished(() => clearInterval(writer))
  const command = commandOf('sleep 3; exit 5', { cwd, idleTimeoutMs: 700 })
  expect(await shell.run(command)).toMatchObject({ reason: 'exited', code: 5 })
})

it('one that waits for a dead connection is', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const line = node(`require("net").connect(${port}, "127.0.0.1").on("data", console.log)`)
  const command = commandOf(line, { cwd: temporaryFolder(), idleTimeoutMs: 1_500 })
  expect(await shell.run(command)).toMatchObject({ reason: 'idle', leftBehind: 0 })
  expect(marked(command.mark)).toEqual([])
})

it('nor does it help to spin while waiting', async () => {
  const spins = node('setInterval(() => { const t = Date.now(); while (Date.now() - t < 15); }, 500)')
  const command = commandOf(spins, { cwd: temporaryFolder(), timeoutMs: 30_000, idleTimeoutMs: 2_000 })
  expect(await shell.run(command)).toMatchObject({ reason: 'idle', leftBehind: 0 })
})

it('while it waits with good reason it is not, and afterwards it is', async () => {
  const cwd = temporaryFolder()
  const patient = commandOf('sleep 2; exit 5', { cwd, idleTimeoutMs: 200, isWaiting: () => true })
  expect(await shell.run(patient)).toMatchObject({ reason: 'exited', code: 5 })
  let asked = 0
  const isWaiting = () => ++asked < 4
  expect(await shell.run(commandOf('sleep 300', { cwd, idleTimeoutMs: 200, isWaiting }))).toMatchObject({
    reason: 'idle',
  })
  expect(asked).toBeGreaterThanOrEqual(4)
})

it('good reasons do not suspend the hard limit', async () => {
  const command = commandOf('sleep 300', { timeoutMs: 1_000, idleTimeoutMs: 200, isWaiting: () => true })
  expect(await shell.run(command)).toMatchObject({ reason: 'timeout' })
})
