// What the rules of the library do not find. The secret is each pattern's group of that name, or its first.

export interface Pattern {
  what: string
  find: RegExp
}

/** Only with what belongs to it, which may stand on the line below: code that reads keys names their first line, too. */
export const privateKey =
  /(-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----)(?:\\[nr]|[\s"'`+,]){1,40}(?:[A-Za-z0-9+/]{16}|Proc-Type:|Version:|Comment:)/

export const patterns: Pattern[] = [
  { what: 'an AWS access key', find: /\b((?:AKIA|ASIA)[A-Z2-7]{16})\b/ },
  {
    what: 'an AWS secret key',
    find: /aws.{0,20}?(?:secret|key).{0,20}?['"=:\s]([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/i,
  },
  { what: 'a Stripe key', find: /\b((?:sk|rk)_live_[A-Za-z0-9]{16,})\b/ },
  { what: 'a Google API key', find: /\b(AIza[A-Za-z0-9_-]{35})(?![A-Za-z0-9_-])/ },
  { what: 'an OpenAI key', find: /\b(sk-(?=[\w-]*\d)(?=[\w-]*[A-Z])(?:proj-|svcacct-)?[A-Za-z0-9_-]{32,})\b/ },
  { what: 'a GitHub token', find: /\b(gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})\b/ },
  { what: 'a GitLab token', find: /\b(glpat-[A-Za-z0-9_-]{20,})\b/ },
  { what: 'a signed token', find: /\b(eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,})/ },
  {
    // On this machine, or with the user's own name for it, it opens nothing that others have.
    what: 'an address with a password',
    find: /\b[a-z][a-z0-9+]*:\/\/(?<user>[^\s:/@'"]+):(?!\k<user>@)(?<secret>[^\s:/@'"]{6,})@(?!localhost\b|127\.|0\.0\.0\.0|\[::1\]|host\.docker\.internal)[^\s'"]+/i,
  },
]

/** A value under a telling name. Whether it is a secret is told by how random it is. */
export const named =
  /(?:passwo?r?d|passwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)['"]?\s{0,9}(?:=>|:=|[:=])\s{0,9}['"`]([^'"`\s]{8,200})['"`]/i

/** What stands where a secret would. */
export const placeholder =
  /example|sample|dummy|placeholder|changeme|change[-_]me|your[-_]|my[-_]?(?:secret|token|password)|redacted|todo|xxx|\.\.\.|…|^[*x•.]+$|^<.*>$|\$\{|\{\{|%[A-Z_]+%|process\.env|os\.environ|^(?:test|fake|mock|foo|bar|secret|password|token)[\w-]*$/i

/** Addresses, paths, and keys of texts are made of words. */
export function isMadeOfWords(value: string): boolean {
  if (/^[a-z][\w+.-]*:\/\/[^@]*$/i.test(value)) return true
  const parts = value.split(/[/._:-]+/).filter((part) => part !== '')
  return (
    parts.length >= 3 && parts.every((part) => /^(?:v?\d+|[A-Z]+|[A-Za-z]?[a-z]+(?:[A-Z][a-z]+)*\d{0,2})$/.test(part))
  )
}

/** Bits for each character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0)
}
