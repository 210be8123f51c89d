import { describe, expect, it } from 'vitest'
import { blocks, type Finding } from '../../../src/delivery/judging/finding.ts'
import { scriptClosure } from '../../../src/proof/files/script-closure.ts'
import { inspect } from '../../../src/proof/inspection/inspect.ts'
import { honestSamples, type Sample } from './corpus.ts'

async function blocking({ changes, checks, mayChange }: Sample): Promise<Finding[]> {
  const closure = await scriptClosure({
    commands: checks,
    readFile: async (path) => changes.find((change) => (change.oldPath ?? change.path) === path)?.before ?? null,
  })
  const story = { files: [], mayChange, mayBeEmpty: false }
  return inspect({ changes, story, closure, protect: [], ownText: [] }).filter(blocks)
}

describe('honest edits', () => {
  it.each(honestSamples().map((sample) => [sample.name, sample] as const))('%s', async (_, sample) => {
    expect((await blocking(sample)).map(({ rule, message }) => `${rule}: ${message}`)).toEqual([])
  })
})
