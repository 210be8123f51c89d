import type { NodeSpan } from './code-reader.ts'

/** A node among those that were asked for; what was not asked for is left out between parent and child. */
export interface TreeNode extends NodeSpan {
  parent: TreeNode | null
  children: TreeNode[]
}

export function treeOf(spans: readonly NodeSpan[], length: number): TreeNode {
  const root: TreeNode = { kind: 'root', start: 0, end: length, parent: null, children: [] }
  let open = root
  for (const span of spans) {
    while (open.parent !== null && span.end > open.end) open = open.parent
    while (open.parent !== null && span.start >= open.end) open = open.parent
    const node: TreeNode = { kind: span.kind, start: span.start, end: span.end, parent: open, children: [] }
    open.children.push(node)
    open = node
  }
  return root
}

/** The node and all below it, outer before inner. */
export function below(node: TreeNode): TreeNode[] {
  const nodes: TreeNode[] = []
  const open = [node]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    nodes.push(at)
    for (let child = at.children.length - 1; child >= 0; child--) open.push(at.children[child]!)
  }
  return nodes
}

/** From the parent outwards. */
export function above(node: TreeNode): TreeNode[] {
  const nodes: TreeNode[] = []
  for (let at = node.parent; at !== null; at = at.parent) nodes.push(at)
  return nodes
}

/** The innermost node that holds this stretch. */
export function innermost(root: TreeNode, start: number, end: number): TreeNode {
  let node = root
  for (;;) {
    const inner = childAt(node.children, start, end)
    if (inner === null) return node
    node = inner
  }
}

/** Children are in order, so the last that starts early enough is the only one that may hold it. */
function childAt(children: readonly TreeNode[], start: number, end: number): TreeNode | null {
  let [low, high] = [0, children.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (children[middle]!.start <= start) low = middle + 1
    else high = middle
  }
  const found = children[low - 1]
  return found !== undefined && found.end >= end ? found : null
}
