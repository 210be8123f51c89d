import { describe, expect, it } from 'vitest'
import { aliasLine } from './demo.ts'

describe('the closing words of the demo', () => {
  it('name the program as it can be started again', () => {
    expect(aliasLine('/usr/local/bin/ropewalk')).toEqual([])
    expect(aliasLine('/home/ada/ropewalk/dist/main.js')).toEqual([
      `  alias ropewalk="node '/home/ada/ropewalk/dist/main.js'"`,
    ])
    expect(aliasLine('/tmp/x/node_modules/.bin/ropewalk')).toHaveLength(1)
  })
})
