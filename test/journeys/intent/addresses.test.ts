// What a requirement points to on the web, from the request to whoever codes it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { strangeServer } from '../../contract/web/strange-server.ts'
import { exits } from '../binary.ts'
import { Yard } from '../yard.ts'

/** It takes the picture that it is told of from where it is told. */
const agent = `if [ "$ROPEWALK_ROLE" = planner ]; then
  echo '{"stories":[{"id":"main","title":"Write b","files":["src/b.txt"]}]}' > "$ROPEWALK_RESULT"
  exit 0
fi
picture=$(sed -n 's/.* is in \\(.*[.]png\\)$/\\1/p' "$said")
if [ -n "$picture" ]; then cp "$picture" "$HOME/picture.png"; fi
echo work > src/b.txt`

const open = (fetch: string): Yard => new Yard({ agent, config: { intent: { fetch } } })

const told = (yard: Yard): string => readFileSync(join(yard.person, 'said-coder-main-1-1'), 'utf8')

describe('addresses in a requirement', () => {
  it('are read once, whatever happens then, and what they say reaches the coder', async () => {
    const server = await strangeServer()
    const yard = open('any')
    const wanted = `Write src/b.txt as ${server.at('/page')} and ${server.at('/picture')} say, see ${server.at('/none')}`
    const env = { ROPEWALK_CRASH_AT: 'code:before-agent' }
    expect((await yard.start(['run', wanted, '--gates', 'auto'], { env }).done).signal).toBe('SIGKILL')
    exits(await yard.ropewalk('resume'), 0)
    expect(server.asked.toSorted()).toEqual(['GET /none', 'GET /page', 'GET /picture'])
    expect(told(yard)).toContain('All prices are whole cents.')
    expect(told(yard)).toContain(`could not be read: ${server.at('/none')} (it answers 404)`)
    expect(readFileSync(join(yard.person, 'picture.png'))).toEqual(Buffer.from([137, 80, 78, 71, 0, 255]))
    const [requested] = await yard.eventsOf('DeliveryRequested')
    expect(requested).toMatchObject({
      requirement: { text: wanted, links: ['/page', '/picture', '/none'].map(server.at) },
    })
    for (const verb of ['status', 'report']) {
      const { stdout } = exits(await yard.ropewalk(verb), 0)
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`read: ${server.at('/page')} (text/html, `)
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`could not be read: ${server.at('/none')} (it answers 404)`)
    }
  })

  it('of this machine are not read unless the settings say so, and that is no reason to stop', async () => {
    const server = await strangeServer()
    const yard = open('public')
    const { stdout } = exits(await yard.ropewalk('run', `Write src/b.txt as ${server.at('/page')} says`), 0)
    expect(stdout).toContain(`not read: ${server.at('/page')} (it is an address of this machine or its network)`)
    expect(server.asked).toEqual([])
    expect(told(yard)).toContain(`could not be read: ${server.at('/page')}`)
  })
})
