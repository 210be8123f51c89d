import { expect, it } from 'vitest'
import { untitled } from './opencode.ts'

const settingsIn = (given: string | null) => {
  const { OPENCODE_CONFIG_CONTENT: text } = untitled(given === null ? {} : { OPENCODE_CONFIG_CONTENT: given })
  return text === undefined ? null : JSON.parse(text)
}

it('turns off the title and nothing else', () => {
  const title = { disable: true }
  expect(settingsIn(null)).toEqual({ agent: { title } })
  expect(settingsIn('{"model":"a/b","agent":{"title":{"model":"a/c"},"build":{"model":"a/d"}}}')).toEqual({
    model: 'a/b',
    agent: { title, build: { model: 'a/d' } },
  })
})

it('leaves alone what it cannot read', () => {
  expect(settingsIn('{ // mine\n }')).toBeNull()
})
