import { describe, expect, it } from 'vitest'
import { optionNamed } from './answers.ts'

const gate = {
  id: 'plan-1',
  kind: 'plan-gate' as const,
  options: [
    { id: 'approve', label: 'go ahead' },
    { id: 'reject', label: 'no' },
  ],
}

describe('an option', () => {
  it('is meant by its number or its name', () => {
    expect(optionNamed(gate, '1')).toBe('approve')
    expect(optionNamed(gate, '2')).toBe('reject')
    expect(optionNamed(gate, 'reject')).toBe('reject')
  })

  it.each(['0', '3', '-1', 'yes', '', '1.0'])('is not meant by %j', (given) => {
    expect(() => optionNamed(gate, given)).toThrow(`"${given}" is not an answer to plan-1`)
  })

  it('is told when it was nearly named', () => {
    expect(() => optionNamed(gate, 'aprove')).toThrow(
      expect.objectContaining({ remedy: 'did you mean approve? One of: 1 approve, 2 reject' }),
    )
  })

  it('of a coder may be anything but a number that is not there', () => {
    const coder = { id: 'coder-a-1', kind: 'coder' as const, options: [{ id: '1', label: 'red' }] }
    expect(optionNamed(coder, '1')).toBe('1')
    expect(optionNamed(coder, 'blue')).toBe('blue')
    expect(() => optionNamed(coder, '2')).toThrow(
      expect.objectContaining({ remedy: 'one of: 1 red; or say it in words' }),
    )
    expect(optionNamed({ ...coder, options: [] }, '2')).toBe('2')
  })
})
