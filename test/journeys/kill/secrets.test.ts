// What agents and checks print has secrets in it. Whoever reads our home, at whatever moment, finds none.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { exits, until } from '../binary.ts'
import { story, Yard } from '../yard.ts'

const value = 'a-value-that-nobody-may-read'
const tell = `head -c 9 "$HOME/value"; sleep 0.1; tail -c +10 "$HOME/value"; cat "$HOME/value" >&2`
const agent = `${tell}
echo "{\\"summary\\": \\"$(cat "$HOME/value")\\"}" > "$ROPEWALK_RESULT"
[ -e "$HOME/begun" ] || { : > "$HOME/begun"; sleep 600; }
echo work > src/one.txt`

const filesWith = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(text))
    .map(({ name }) => name)

it('a driver that is killed leaves none in what was printed, and one that goes on leaves none at all', async () => {
  const yard = new Yard({ agent, files: { 'check.sh': tell } })
  writeFileSync(join(yard.person, 'value'), `${value}\n`)
  const env = { MY_TOKEN: value }
  const running = yard.start(yard.planArgs([story('one')]), { env })
  await until(() => existsSync(join(yard.person, 'begun')))
  await until(() => filesWith(join(yard.home, 'spools'), '[redacted]\n[redacted]\n').length > 0)
  running.child.kill('SIGKILL')
  await running.done
  expect(filesWith(yard.home, value)).toEqual(['answer.json'])
  exits(await yard.start(['resume'], { env }).done, 0)
  expect(filesWith(yard.home, value)).toEqual([])
  expect(filesWith(join(yard.home, 'blobs'), '[redacted]')).not.toEqual([])
})
