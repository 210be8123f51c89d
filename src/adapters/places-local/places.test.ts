import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { localPlaces } from './places.ts'

const home = mkdtempSync(join(tmpdir(), 'ropewalk-places-'))
const places = localPlaces(home)
afterAll(() => rmSync(home, { recursive: true, force: true }))

it('gives each thing its place, in folders that only we can enter', () => {
  expect(places.workspace('d1', 'parse-dates', 2)).toBe(join(home, 'workspaces/d1/parse-dates-2'))
  expect(places.spool('d1', 'check-test.log')).toBe(join(home, 'spools/d1/check-test.log'))
  const result = places.result('d1', 'plan.json')
  expect(result).toBe(join(home, 'results/d1/plan.json'))
  expect(statSync(dirname(result)).mode & 0o777).toBe(0o700)
  expect(statSync(join(home, 'results')).mode & 0o777).toBe(0o700)
})

it('gives a clean place that is not there yet, also when a crash left one behind', () => {
  const path = places.clean('d1', 'abcdef0123456789')
  expect(path).toBe(join(home, 'places/d1/abcdef0123456789'))
  mkdirSync(path)
  writeFileSync(join(path, 'left-behind'), '')
  expect(existsSync(places.clean('d1', 'abcdef0123456789'))).toBe(false)
})

it.each(['..', '../x', 'a/b', '', '.git'])('makes no path of %j', (id) => {
  expect(() => places.workspace(id, 'story', 1)).toThrow()
  expect(() => places.workspace('d1', id, 1)).toThrow()
  expect(() => places.clean('d1', id)).toThrow()
  expect(() => places.spool('d1', id)).toThrow()
  expect(() => places.result('d1', id)).toThrow()
})

it('makes no path of an attempt that is no number', () => {
  expect(() => places.workspace('d1', 'story', Number.NaN)).toThrow()
  expect(() => places.workspace('d1', 'story', 1.5)).toThrow()
})
