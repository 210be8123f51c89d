import { rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { CheckPolicy } from '../../delivery/policy.ts'
import type { Point, RedCheck, RegressionSearch, Search, SearchRequest } from '../../ports/proofs/regression.ts'
import { isTest } from '../../proof/files/test-file.ts'
import {
  beyond,
  firstRed,
  mostRuns,
  type RunShown,
  regressionWord,
  steadyFailures,
} from '../../proof/results/baseline.ts'
import type { TestFailure } from '../../proof/results/check-result.ts'
import { courseOf } from './course.ts'
import { type RegressWorld, type Tried, tryOn, tryRevert } from './runs.ts'

export function openRegressionSearch(world: RegressWorld): RegressionSearch {
  return {
    course: (request) => courseOf(world, request),
    laidOver: async ({ tip, files }) => {
      const there = new Set(files.length === 0 ? [] : await world.clone.listFiles(tip))
      return files.filter(({ path }) => isTest(path) || !there.has(path))
    },
    search: async (request) => {
      // After a kill, gc finds here whose places they were.
      await writeFile(world.places.result(world.id, 'repository'), JSON.stringify(world.known))
      return await search(world, request).finally(() => leave(world))
    },
  }
}

/** Nothing of it stays on disk. */
async function leave({ clone, places, id }: RegressWorld): Promise<void> {
  await Promise.allSettled([clone.removePlaces(places.cleanFolder(id))])
  const folders = [places.cleanFolder(id), dirname(places.spool(id, 'x')), dirname(places.result(id, 'x'))]
  await Promise.allSettled(folders.map((folder) => rm(folder, { recursive: true, force: true })))
}

async function search(world: RegressWorld, request: SearchRequest): Promise<Search> {
  const { checks } = request
  for (const check of checks) {
    const found = await new Hunt(world, request, check).go()
    if (found !== null) return found
  }
  return { status: 'green', checks: checks.map(({ name }) => name), runs: checks.length }
}

/** The search for the first commit at which one check is red as it is at the tip. */
class Hunt {
  private readonly world: RegressWorld
  private readonly request: SearchRequest
  private readonly check: CheckPolicy
  private readonly tried = new Map<number, Tried>()
  private runs = 0
  private most: number

  constructor(world: RegressWorld, request: SearchRequest, check: CheckPolicy) {
    ;[this.world, this.request, this.check] = [world, request, check]
    this.most = mostRuns(request.course.length)
  }

  /** Null: it is green. */
  async go(): Promise<Search | null> {
    const tip = await this.at(this.request.course.length - 1, null)
    if (tip.status === 'pass') return null
    return await this.trace(tip, { low: 0, known: [] })
  }

  private async trace(trouble: RunShown, { low, known }: { low: number; known: TestFailure[] }): Promise<Search> {
    const { course } = this.request
    const isRed = async (index: number): Promise<boolean> =>
      regressionWord(await this.at(low + index, trouble), trouble) === 'red'
    const first = low + (await firstRed(course.length - low, isRed))
    const seen = this.tried.get(first)!
    const again = await this.run(first, trouble)
    if (regressionWord(again, trouble) !== 'red') return this.flaky(first, [seen, again])
    if (first === 0) return await this.before(trouble, seen)
    const suspects = this.suspects(first, trouble)
    if (suspects.length > 1) return { ...this.red(seen), status: 'unclear', suspects }
    const before = await this.run(first - 1, trouble)
    if (regressionWord(before, trouble) === 'red') return this.flaky(first - 1, [before, this.tried.get(first - 1)!])
    const begun = narrowed(seen, trouble)
    const found = { ...this.red(begun), at: course[first]!, before: known.map(({ test }) => test) }
    if (found.at.story === null) return { ...found, status: 'foreign' }
    const commits = this.together(first)
    this.begun(null, false)
    const revert = await tryRevert(this.world, this.request, { commits, check: this.check, trouble: begun })
    return { ...found, status: 'found', commits, revert }
  }

  /** What was red before our first story is not ours; something else may have come since. */
  private async before(trouble: RunShown, start: Tried): Promise<Search> {
    const more = beyond(trouble, start)
    if (more === null) return { ...this.red(start), status: 'before', at: this.request.course[0]! }
    this.most = this.runs + mostRuns(this.request.course.length - 1) - 1
    return await this.trace(more.rest, { low: 1, known: more.known })
  }

  private flaky(index: number, runs: Tried[]): Search {
    const tests = steadyFailures(runs).flaky.map(({ test }) => test)
    return { ...this.red(runs[0]!), status: 'flaky', at: this.request.course[index]!, tests }
  }

  /** Where the one before it fails otherwise: all since the last green one. */
  private suspects(first: number, trouble: RunShown): Point[] {
    const word = (index: number): string | null => {
      const tried = this.tried.get(index)
      return tried === undefined ? null : regressionWord(tried, trouble)
    }
    if (word(first - 1) !== 'unclear') return [this.request.course[first]!]
    let from = first - 1
    while (from > 0 && word(from - 1) !== 'green') from -= 1
    return this.request.course.slice(from, first + 1)
  }

  /** The commits of the story that this one belongs to. */
  private together(index: number): Point[] {
    const { course } = this.request
    const { story } = course[index]!
    const same = ({ story: other }: Point): boolean =>
      story !== null && other?.story === story.story && other.delivery === story.delivery
    let [from, to] = [index, index]
    while (from > 1 && same(course[from - 1]!)) from -= 1
    while (to + 1 < course.length && same(course[to + 1]!)) to += 1
    return course.slice(from, to + 1)
  }

  private async at(index: number, trouble: RunShown | null): Promise<Tried> {
    return this.tried.get(index) ?? (await this.run(index, trouble))
  }

  private async run(index: number, trouble: RunShown | null): Promise<Tried> {
    const point = this.request.course[index]!
    const again = this.tried.has(index)
    this.begun(point, again)
    const tried = await tryOn(this.world, this.request, { check: this.check, commit: point.commit })
    if (!again) this.tried.set(index, tried)
    this.runs += 1
    const { message, durationMs } = tried
    const word = regressionWord(tried, trouble ?? tried)
    const told = { check: this.check.name, point, word, message, durationMs }
    this.request.onRun({ ...told, again, number: this.runs, most: this.most })
    return tried
  }

  private begun(point: Point | null, again: boolean): void {
    this.request.onStart({ check: this.check.name, point, again, number: this.runs + 1, most: this.most })
  }

  private red({ message, failures, tail }: RunShown): RedCheck {
    const { name: check, run: command } = this.check
    const told = failures.map(({ file, line, test, error }) => ({ file, line, test, error }))
    return { check, command, message, runs: this.runs, failures: told, tail: told.length === 0 ? tail : '' }
  }
}

/** Of what fails there, what is looked for. */
function narrowed(seen: RunShown, { failures: wanted }: RunShown): RunShown {
  const failures = seen.failures.filter(({ file, test }) =>
    wanted.some((other) => other.file === file && other.test === test),
  )
  return failures.length === 0 ? seen : { ...seen, failures }
}
