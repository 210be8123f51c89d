import { describe, expect, it } from 'vitest'
import type { Need } from '../../delivery/policy.ts'
import { type Confined, lackOf } from './faults.ts'

const confined: Confined = { check: 'test', needs: [], egress: 'closed', home: '/home/ada', place: '/home/ada/shop' }

describe('what a confined command lacks', () => {
  it.each<[Need, string]>([
    ['docker', 'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?'],
    ['docker', 'Error: connect ENOENT /var/run/docker.sock'],
    ['network', 'Error: getaddrinfo EAI_AGAIN registry.npmjs.org'],
    ['network', 'dial tcp: lookup example.org: no such host'],
    ['home', "Error: ENOENT: no such file or directory, open '/home/ada/.shop/settings.json'"],
    ['home', '/home/ada/tools/lint: not found'],
  ])('is told as %s', (need, output) => {
    expect(lackOf(`a line\n${output}\n`, confined)).toContain(`checks.test.needs: [${need}]`)
    expect(lackOf(output, { ...confined, needs: [need] })).toBe(null)
  })

  it.each([
    'AssertionError: 1 !== 2',
    "Error: Cannot find module '/home/ada/shop/src/a.js', does not exist",
    'at /home/ada/.nvm/node/lib/test.js:1',
  ])('is not told of other failures: %s', (output) => expect(lackOf(output, confined)).toBe(null))

  it('is no network where that is open, and all of it where it is several things', () => {
    expect(lackOf('getaddrinfo ENOTFOUND db', { ...confined, egress: 'open' })).toBe(null)
    expect(lackOf('ENOTFOUND db\ndocker.sock', { ...confined, needs: ['home'] })).toMatch(/\[home, docker, network\]/)
  })
})
