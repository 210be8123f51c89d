// Processor time, not time on the clock: it is the same on a busy machine, so a rise speaks of a change.
import type { Reporter, TestModule } from 'vitest/node'
import { budgets } from './budgets.ts'

export interface Cost {
  project: string
  file: string
  cpuSeconds: number
}

export default class CostReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const costs = modules.map((module) => ({
      project: module.project.name,
      file: module.relativeModuleId,
      cpuSeconds: module.meta().cpuSeconds ?? 0,
    }))
    const { user, system } = process.cpuUsage()
    process.stdout.write(`\n${costLines(costs, (user + system) / 1e6).join('\n')}\n`)
  }
}

/** What each project used of its budget, what the runner used itself, and the files that used most. */
export function costLines(costs: Cost[], runnerSeconds: number): string[] {
  const projects = [...new Set(costs.map(({ project }) => project))].sort()
  const used = (project: string): number =>
    costs.reduce((sum, cost) => sum + (cost.project === project ? cost.cpuSeconds : 0), 0)
  return [
    'CPU seconds used, and the budget:',
    ...projects.map((project) => budgetLine(project, used(project))),
    budgetLine('the runner itself', runnerSeconds),
    'The files that used most:',
    ...costs
      .toSorted((a, b) => b.cpuSeconds - a.cpuSeconds)
      .slice(0, 10)
      .map(({ file, cpuSeconds }) => `${seconds(cpuSeconds)} ${file}`),
  ]
}

function budgetLine(name: string, used: number): string {
  const budget = budgets[name]
  const over = budget !== undefined && used > budget ? ', OVER' : ''
  return `${seconds(used)} ${name}${budget === undefined ? '' : ` (budget ${budget}${over})`}`
}

const seconds = (value: number): string => value.toFixed(1).padStart(8)
