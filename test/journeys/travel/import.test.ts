import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { digestOf, envelopeText, genesis } from '../../../src/adapters/log-sqlite/record.ts'
import type { Recorded } from '../../../src/ports/event-log.ts'
import { canonical } from '../../../src/std/hash.ts'
import { git } from '../../contract/user-repository.ts'
import { exits } from '../binary.ts'
import { Yard } from '../yard.ts'

const story = { id: 'one', title: 'One', description: 'Make one', tests: 'characterisation' }

/** Anybody can make a chain that is intact. */
function forged(events: Recorded[]): string {
  let previous = genesis
  const lines = events.map((entry, index) => {
    const envelope = { ...entry, previous, version: index + 1 }
    previous = digestOf(`${envelopeText(envelope)}\n${canonical(envelope.event)}`)
    return { ...envelope, hash: previous }
  })
  const end = { delivery: lines[0]!.delivery, events: lines.length, head: previous, schema: lines[0]!.schema }
  return [...lines, { end }].map((line) => `${JSON.stringify(line)}\n`).join('')
}

describe('a delivery that comes from a file', () => {
  it('is looked at, runs nothing of its file, and goes on only when adopted, with the settings that are here', async () => {
    const yard = new Yard()
    exits(await yard.runPlan([story], '--gates', 'manual'), 2)
    exits(await yard.ropewalk('approve', '--resume'), 2)
    const { delivery } = await yard.status()
    const events = await yard.events(delivery)
    const theirs = join(yard.person, 'theirs')
    const evil = events.map((one) =>
      one.event.type === 'PolicyPinned'
        ? {
            ...one,
            event: {
              ...one.event,
              policy: {
                ...one.event.policy,
                checks: one.event.policy.checks.map((check) => ({ ...check, run: `touch ${theirs}` })),
              },
            },
          }
        : one,
    )
    const [file, bundle] = [join(yard.person, 'evil.jsonl'), join(yard.person, 'work.bundle')]
    writeFileSync(file, forged(evil))
    exits(await yard.ropewalk('export', delivery, '--bundle', bundle), 0)
    const env = { ROPEWALK_HOME: join(yard.person, 'elsewhere') }
    const there = (...args: string[]) => yard.start(args, { env }).done
    expect(exits(await there('import', file, '--bundle', bundle), 0).stdout).toMatch(/Nothing of it runs(.|\n)*adopt/)
    expect(exits(await there('status', delivery), 0).stdout).toMatch(/imported from a file/)
    for (const verb of ['report', 'log', 'cost', 'replay']) exits(await there(verb, delivery), 0)
    exits(await there('why', 'one', '-d', delivery), 0)
    expect(exits(await there('diff', 'one', '-d', delivery), 0).stdout).toMatch(/\+work/)
    expect(exits(await there('inbox'), 0).stdout).not.toMatch(delivery)
    for (const args of [
      ['resume', delivery],
      ['approve', '-d', delivery],
      ['land', delivery],
      ['stop', delivery],
      ['retry', 'one', '-d', delivery],
    ])
      expect(exits(await there(...args), 1).stderr).toMatch(/imported from a file(.|\n)*ropewalk adopt/)
    const asked = exits(await there('adopt', delivery), 1)
    expect(asked.stdout).toMatch(
      new RegExp(`None of them will run:(.|\n)*touch ${theirs}(.|\n)*it will run:(.|\n)*sh check.sh`),
    )
    expect(asked.stderr).toMatch(/--yes/)
    exits(await there('adopt', delivery, '--yes'), 0)
    await there('resume', delivery)
    exits(await there('approve', 'one', '-d', delivery, '--resume'), 0)
    expect(existsSync(theirs)).toBe(false)
    expect(readFileSync(join(yard.repo, 'src/one.txt'), 'utf8')).toBe('work\n')
    expect(git(yard.repo, 'log', '--oneline', 'main').split('\n').length).toBeGreaterThan(1)
  })

  it('is verified where nothing but its bundle has its commits, and vouches for none of them itself', async () => {
    const yard = new Yard({ config: { gates: 'manual' } })
    exits(await yard.runPlan([{ ...story, id: 'earlier' }], '--gates', 'auto'), 0)
    const earlier = git(yard.repo, 'rev-parse', 'main')
    exits(await yard.runPlan([story], '--gates', 'auto'), 0)
    const [file, bundle, clone] = ['forged.jsonl', 'work.bundle', 'clone'].map((name) => join(yard.person, name))
    writeFileSync(file!, forged(await yard.events()))
    const { delivery } = await yard.status()
    exits(await yard.ropewalk('export', delivery, '--bundle', bundle!), 0)
    git(yard.person, 'clone', '-q', '--no-local', '--single-branch', '--branch', 'other', yard.repo, clone!)
    git(clone!, 'branch', '-q', '-m', 'main')
    const env = { ROPEWALK_HOME: join(yard.person, 'elsewhere') }
    const there = (...args: string[]) => yard.start(args, { env, cwd: clone! }).done
    exits(await there('import', file!, '--bundle', bundle!), 0)
    const landed = git(yard.repo, 'rev-parse', 'main')
    // It has the commits of the delivery before, and says nothing about them.
    expect(exits(await there('verify', earlier), 2).stdout).toMatch(/it carries no proof/)
    const said = /^proven(.|\n)*this machine has no log of it/
    expect(exits(await there('verify', landed), 0).stdout).toMatch(said)
    git(clone!, 'pull', '-q', yard.repo, 'main')
    expect(exits(await there('verify', landed), 2).stdout).toMatch(/it carries no proof/)
    git(clone!, 'fetch', '-q', yard.repo, 'refs/notes/ropewalk:refs/notes/ropewalk')
    expect(exits(await there('verify', landed), 0).stdout).toMatch(said)
    exits(await there('adopt', delivery, '--yes'), 0)
    expect(exits(await there('verify', landed), 0).stdout).toMatch(said)
    expect(exits(await there('export', delivery), 0).stdout).toMatch(/DeliveryAdopted(.|\n)*"gates":"manual"/)
  })

  it('is refused where it is cut, newer than us, no delivery, or named to lead elsewhere', async () => {
    const yard = new Yard({ agent: 'exit 1' })
    await yard.runPlan([story], '--unattended')
    const events = await yard.events()
    const { stdout: whole } = await yard.ropewalk('export')
    const file = join(yard.person, 'given.jsonl')
    const env = { ROPEWALK_HOME: join(yard.person, 'elsewhere') }
    const renamed = (delivery: string) => forged(events.map((one) => ({ ...one, delivery })))
    const bad: [string, RegExp][] = [
      [whole.trimEnd().split('\n').slice(0, -1).join('\n'), /is cut off after \d+ events/],
      [whole.trimEnd().split('\n').slice(0, -3).join('\n'), /is cut off/],
      [
        whole
          .split('\n')
          .filter((_, index) => index !== 2)
          .join('\n'),
        /is not whole/,
      ],
      [`words\n${whole}`, /not JSON/],
      [whole.slice(0, 900), /the file is cut off in this line/],
      [renamed('../../escape'), /the delivery's id must be/],
      [renamed('a\u001b[2Jb'), /the delivery's id must be/],
      [renamed('a/b'), /the delivery's id must be/],
      [forged(events.map((one) => ({ ...one, schema: 99 }))), /newer ropewalk/],
      [forged(events).replace(genesis, '0'.repeat(64)), /by a version of ropewalk before its first release/],
      [forged(events.slice(1)), /does not begin with a request/],
      [forged([{ ...events[0]!, event: { type: 'DeliveryRequested' } as never }]), /is not a delivery/],
      [forged(events.map((one) => ({ ...one, event: { type: 'Nonsense' } as never }))), /is not a delivery/],
      [
        forged([{ ...events[0]!, event: { ...events[0]!.event, base: '--output=x' } as never }, ...events.slice(1)]),
        /commits that cannot exist/,
      ],
      ['', /holds no events/],
    ]
    for (const [text, words] of bad) {
      writeFileSync(file, text)
      const { stderr } = exits(await yard.start(['import', file], { env }).done, 1)
      expect(stderr).toMatch(words)
      expect(stderr).not.toMatch(/a defect of/)
    }
    expect(exits(await yard.start(['status', '--all'], { env }).done, 0).stdout).toMatch(/There are no deliveries yet/)
  })
})
