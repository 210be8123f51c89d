import { describe, expect, it } from 'vitest'
import type { Harvest } from '../../../../src/delivery/intent/context.ts'
import { TransientError } from '../../../../src/ports/errors.ts'
import type { Repository } from '../../../../src/ports/repository/repository.ts'
import { write } from '../../../empty-repository.ts'
import { openYard, type Yard } from '../yard.ts'
import { shop } from './sample.ts'

async function harvested(requirement: string, files: Record<string, string> = shop, identity: string[] = []) {
  const intent = { skip: false, confirm: 'uncertain', fetch: 'none', identity } as const
  const yard = await openYard({ files, stories: null, script: [], requirement, unread: true, policy: { intent } })
  const { ending } = await yard.perform('HarvestContext')
  if (ending.type !== 'ContextHarvested') throw new Error(ending.type)
  return { yard, context: ending.context }
}

const sources = ({ items }: Harvest, tier: number) =>
  items.filter((item) => item.tier === tier).map(({ source }) => source)

async function textOf(yard: Yard, { items }: Harvest, source: string): Promise<string> {
  const bytes = await yard.world.blobs.get(items.find((item) => item.source === source)!.digest)
  return Buffer.from(bytes!).toString('utf8')
}

describe('what is known about a requirement', () => {
  it('is collected in tiers, and each piece is stored under its digest', async () => {
    const { yard, context } = await harvested('The total of an invoice is shown by src/other.js, see positions')
    expect(sources(context, 0)).toEqual(['README.md', 'docs/decisions/amounts.md'])
    expect(sources(context, 1)).toEqual(['src/other.js', 'history of src/other.js, src/invoice.js'])
    expect(sources(context, 2)).toEqual(['docs/invoices.md'])
    expect(sources(context, 3)).toEqual(['src/invoice.js'])
    expect(await textOf(yard, context, 'README.md')).toBe(shop['README.md'].trim())
    expect(await textOf(yard, context, 'src/invoice.js')).toContain('2: export function total(positions) {')
    expect(context).toMatchObject({ workKind: 'feature', hasIdentity: true, conflicts: [], unreachable: [] })
    expect((await yard.state()).intent.context).toEqual(context)
  })

  it('keeps no secret', async () => {
    const { yard, context } = await harvested('Use notes.txt', {
      ...shop,
      'notes.txt': 'The key is hunter2, always.\n',
    })
    expect(await textOf(yard, context, 'notes.txt')).toBe('The key is [redacted], always.')
  })

  it('has a project without an identity, and addresses that nobody reads, as signals', async () => {
    const { context } = await harvested('Do what https://example.org/spec says', {
      'README.md': '# Shop\n',
      'a.js': 'a\n',
    })
    expect(context.hasIdentity).toBe(false)
    expect(context.unreachable).toEqual([
      {
        source: 'https://example.org/spec',
        why: 'the settings have no addresses read (intent.fetch); put it into a file',
      },
    ])
    expect(context.signals.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['unreachable-source', 'no-project-identity']),
    )
  })

  it('has a document that is to say what is wanted, and is not there, as a source that was not reached', async () => {
    const { context } = await harvested('Implement docs/spec.md, and see invoices.md for what it is about', shop)
    expect(context.unreachable).toEqual([{ source: 'docs/spec.md', why: 'it is not in the repository' }])
    expect(context.signals).toContainEqual(expect.objectContaining({ name: 'unreachable-source', sets: 'uncertain' }))
    expect(sources(context, 1)[0]).toBe('docs/invoices.md')
  })

  it('takes the identity from the files that are configured', async () => {
    const { context } = await harvested('Show the total', shop, ['docs/invoices.md'])
    expect(sources(context, 0)).toEqual(['docs/invoices.md'])
  })

  it('notes where the project says no', async () => {
    const vision = '# Vision\n\nAmounts of invoices are never rounded, and this is so on purpose.\n'
    const { context } = await harvested('Round the amounts of invoices', { ...shop, 'VISION.md': vision })
    expect(context.conflicts).toMatchObject([{ holds: expect.stringContaining('VISION.md: Amounts of invoices') }])
    expect(context.signals.map(({ name }) => name)).toContain('against-the-project')
  })

  it('lists what did not fit, and takes whole paragraphs of what is long', async () => {
    const paragraph = (n: number) => `Paragraph ${n} of the readme says that it is long.\n`
    const long = Array.from({ length: 400 }, (_, n) => paragraph(n)).join('\n')
    const { yard, context } = await harvested('Show the total', { ...shop, 'README.md': long })
    const text = await textOf(yard, context, 'README.md')
    expect(long.startsWith(text)).toBe(true)
    expect(text).toMatch(/is long\.$/)
    expect(context.left).toEqual([
      {
        source: 'README.md',
        bytes: Buffer.byteLength(long.trim()) - Buffer.byteLength(text),
        why: 'no room in tier 0',
      },
    ])
  })

  it('is collected also where the search or the history does not answer in time', async () => {
    const requirement = 'The total of an invoice is shown by src/other.js'
    const yard = await openYard({ files: shop, stories: null, script: [], unread: true, requirement })
    const late = async () => {
      throw new TransientError('git grep did not end in time and was killed')
    }
    const touching: Repository['touching'] = (request) =>
      request.paths.length === 0 ? yard.repository.touching(request) : late()
    yard.world.repository = async () => ({ ...yard.repository, search: late, touching })
    const { ending } = await yard.perform('HarvestContext')
    if (ending.type !== 'ContextHarvested') throw new Error(ending.type)
    const { context } = ending
    expect(context.unreachable.map(({ source }) => source)).toEqual(['the code', 'the history'])
    expect(sources(context, 1)).toEqual(['src/other.js'])
    expect(context.signals.map(({ name }) => name)).toContain('unreachable-source')
  })

  it('is the same when it is collected again, whatever the checkout holds', async () => {
    const requirement = 'The total of an invoice is shown'
    const yard = await openYard({ files: shop, stories: null, script: [], unread: true, requirement })
    const lost = await yard.perform('HarvestContext', { lose: true })
    write(yard.user, { 'README.md': 'changed, not committed' })
    expect((await yard.perform('HarvestContext', { try: 2 })).ending).toEqual(lost.ending)
  })

  it('copes with a requirement without words, and with one of a megabyte', async () => {
    for (const text of ['.', '12', 'x '.repeat(500_000), 'Ünïcode 💥 `'.repeat(1_000), '-e --all $(touch /tmp/x) *']) {
      const { context } = await harvested(text)
      expect(context.clarity).toHaveLength(5)
      expect(sources(context, 0)).toEqual(['README.md', 'docs/decisions/amounts.md'])
    }
  })
})
