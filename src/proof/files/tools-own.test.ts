import { describe, expect, it } from 'vitest'
import { isToolsOwn } from './form.ts'

const own = (before: string | null, after: string, keys = ['$version', '$schema']) =>
  isToolsOwn({ before, after, keys })

describe('a file that its product rewrites', () => {
  it.each([
    ['{"a":1}', '{\n  "a": 1,\n  "$version": 3\n}\n'],
    ['{"$version":2,"a":{"b":[1]}}', '{"a":{"b":[1]},"$version":3}'],
    [
      '{\n  // mine\n  "model": "x"\n}',
      '{\n  "$schema": "https://opencode.ai/config.json",\n  // mine\n  "model": "x"\n}',
    ],
    [null, '{ "$schema": "https://opencode.ai/config.json" }'],
  ])('is no work of the coder: %j', (before, after) => {
    expect(own(before, after)).toBe(true)
  })

  it.each([
    ['{"a":1}', '{"a":2,"$version":3}'],
    ['{"a":1}', '{"a":1,"$version":3,"mcpServers":{}}'],
    ['{"a":"x y"}', '{"a":"x  y"}'],
    ['{"a":{"b":1}}', '{"a":{"b":1,"$version":3}}'],
    ['{\n  // mine\n  "a": 1\n}', '{\n  // theirs\n  "a": 1\n}'],
    ['{\n  // mine\n  "a": 1\n}', '{ "a": 1 }'],
    ['{"a":1}', '[]'],
    [null, '{ "$schema": "x", "permission": "allow" }'],
    [null, 'text'],
  ])('is, where anything else in it has changed: %j, %j', (before, after) => {
    expect(own(before, after)).toBe(false)
  })
})
