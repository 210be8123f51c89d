export interface MaterialFile {
  path: string
  kind: 'product' | 'tests' | 'settings' | 'both'
  because: string
}

/** What counts as test material, by what decided it. */
export interface MaterialView {
  product: number
  groups: { kind: MaterialFile['kind']; because: string; files: string[] }[]
}

export function materialView(files: readonly MaterialFile[]): MaterialView {
  const groups = new Map<string, MaterialView['groups'][number]>()
  const product = files.filter(({ kind }) => kind === 'product')
  for (const { path, kind, because } of files.filter(isTold)) {
    const rule = ruleOf(because)
    const group = groups.get(`${kind} ${rule}`) ?? { kind, because: rule, files: [] }
    group.files.push(path)
    groups.set(`${kind} ${rule}`, group)
  }
  const order = ['tests', 'settings', 'both', 'product']
  const sorted = [...groups.values()].sort(
    (a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || b.files.length - a.files.length,
  )
  return { product: product.length, groups: sorted }
}

/** That something is product needs no word, unless it was not plain. */
const isTold = ({ kind, because }: MaterialFile): boolean => kind !== 'product' || because.includes('the setting')

/** Without the files that it names as examples. */
const ruleOf = (because: string): string => because.replace(/: .*$/s, '')
