// What each driver takes from an agent's settings. The keys that all of them take are not listed.

/** Agents that exist by their own name, without a word about them in the settings. In the order in which `auto` tries. */
export const products = ['claude', 'codex', 'gemini', 'opencode', 'qwen', 'copilot'] as const
type Product = (typeof products)[number]

export const drivers = [...products, 'acp', 'builtin', 'command', 'scripted'] as const

export type Driver = (typeof drivers)[number]

export const isProduct = (name: string): name is Product => products.some((product) => product === name)

/** Stands for whichever agent can be used. */
export const auto = 'auto'

type OptionKey = 'command' | 'args' | 'script' | 'home' | 'api'

interface Taken {
  needs: OptionKey[]
  takes: OptionKey[]
}

const ofProduct: Taken = { needs: [], takes: ['command', 'args', 'home'] }

export const optionsOfDriver: Record<Driver, Taken> = {
  ...(Object.fromEntries(products.map((name) => [name, ofProduct])) as Record<Product, Taken>),
  acp: { needs: ['command'], takes: ['command', 'args'] },
  builtin: { needs: ['api'], takes: ['api'] },
  command: { needs: ['command'], takes: ['command'] },
  scripted: { needs: ['script'], takes: ['script'] },
}

export const optionKeys: OptionKey[] = ['command', 'args', 'script', 'home', 'api']
