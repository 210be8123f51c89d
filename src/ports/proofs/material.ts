/** One file of a repository, and whom it serves: those who use the product, its tests, or the tools. */
export interface SortedFile {
  path: string
  /** `both`: what the product needs, and how it is tested; taken apart. */
  kind: 'product' | 'tests' | 'settings' | 'both'
  because: string
}
