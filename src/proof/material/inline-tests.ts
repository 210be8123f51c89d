const modules =
  /^#\[cfg\(test\)\]\s*\n(?:#\[.*\]\s*\n)*(?:pub(?:\(.*\))? )?mod \w+ \{[^\n]*\n(?:[\s\S]*?\n)?\}[^\n]*(?:\n|$)/gm

/** Rust keeps tests beside the code: the new code with the modules of tests that were there before. */
export function withFormerTests(before: string, after: string): string {
  const [former, present] = [before, after].map((text) => text.match(modules) ?? [])
  if (former!.join('') === present!.join('')) return after
  const code = after.replace(modules, '').trimEnd()
  return `${code}\n\n${former!.map((one) => one.trimEnd()).join('\n\n')}\n`.trimStart()
}
