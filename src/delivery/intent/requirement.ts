/** What was asked, word for word, on record before anybody works on it. */
export interface Requirement {
  text: string
  /** Where it came from: a file, an address, the command line. */
  source: string
  submitter: string
  /** What else its source says of it, where that has more than a text: the body of an issue, what it links to. */
  body?: string
  links?: string[]
}
