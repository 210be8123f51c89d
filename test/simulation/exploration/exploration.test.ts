import { describe, expect, it } from 'vitest'
import { limitsOfTwo, policy, story } from '../sample.ts'
import type { Setting } from './explore.ts'
import { explore } from './explore.ts'

const quiet: Setting['range'] = { failures: ['crash', 'empty'], troubles: false, asks: true }
const loud: Setting['range'] = { failures: ['crash', 'empty'], troubles: true, asks: true }
const two = [story('a'), story('b', { dependsOn: ['a'] })]
const cap = 60000
const base = { range: quiet, interleaved: false, meddling: false, turnsMatter: true, cap }
const runs: Record<string, Setting> = {
  one: { ...base, turnsMatter: false, policy: policy(), stories: [story('a')]},
  oneLoud: { ...base, range: loud, policy: policy({ limits: limitsOfTwo }), stories: [story('a')]},
  oneAttended: { ...base, range: loud, policy: policy({ limits: limitsOfTwo, unattended: false, gates:'manual', judges: ['inspection','check:test'] }), stories: [story('a')]},
  oneApart: { ...base, interleaved: true, range: loud, policy: policy({ limits: limitsOfTwo, unattended: false }), stories: [story('a')]},
  oneMeddled: { ...base, meddling: true, interleaved: true, policy: policy({ limits: {...limitsOfTwo, amendmentsPerStory: 1, mergesPerStory:1, crashesPerStory:1}, unattended: false }), stories: [story('a')]},
  two: { ...base, policy: policy({ limits: limitsOfTwo }), stories: two},
  twoEach: { ...base, policy: policy({ limits: limitsOfTwo, land: 'each' }), stories: two},
}

describe('exploration', () => {
  it.each(Object.entries(runs))('%s', (name, setting) => {
    const t = Date.now()
    const explored = explore(setting)
    console.log(name, JSON.stringify(explored), Date.now() - t)
  }, 300000)
})
