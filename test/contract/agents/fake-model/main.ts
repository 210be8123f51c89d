// The fake model API by hand, for trying an agent against it:
//   npx esbuild test/contract/agents/fake-model/main.ts --bundle --platform=node --format=esm --outfile=/tmp/fake-model.mjs
//   node /tmp/fake-model.mjs [port] [folder for the requests]
// It prints its address, then a line for each call. The prompt names what is played: "SCENARIO:edit",
// "SCENARIO:hello FAIL:429,times=2,after=1"; the words are in scenario.ts and failure.ts.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFakeModel } from './server.ts'

const [port = '0', folder] = process.argv.slice(2)
if (folder !== undefined) mkdirSync(folder, { recursive: true })
let received = 0
let shown = 0

const fake = await openFakeModel({
  port: Number(port),
  onRequest: (request) => {
    received += 1
    const name = `${String(received).padStart(3, '0')}.json`
    if (folder !== undefined) writeFileSync(join(folder, name), JSON.stringify(request, null, 1))
  },
})
console.log(fake.url)
setInterval(show, 200)

function show(): void {
  for (const { format, model, isHidden, step, outcome, usage, did } of fake.calls().slice(shown)) {
    if (outcome === null) return
    console.log(JSON.stringify({ format, model, isHidden, step, outcome, did, usage }))
    shown += 1
  }
}
