import { readable } from './prose.ts'

/** Documents of which a requirement says that they hold what is wanted: "implement docs/spec.md", "as described in …". */
export const documentsIn = (text: string): string[] => [
  ...new Set([...readable(text).matchAll(pointing)].map(([, path]) => path!.replace(/^\.\//, ''))),
]

/** The first of those that nobody can read in the repository. A name without its folder may be that of any file. */
export const missingDocuments = (text: string, files: readonly string[]): string[] =>
  documentsIn(text)
    .slice(0, most)
    .filter((path) => !/^https?:/i.test(path) && !files.some((file) => file === path || file.endsWith(`/${path}`)))

/** Each is looked for among all files, and listed. */
const most = 50

const pointing =
  /\b(?:see|follow|implement(?: (?:everything|all|what is)(?: of| in)?)?|do (?:what|as) (?=\S+ says)|(?:described|specified|defined|(?:as|what is) written|laid out|outlined|documented|stated|said|as) (?:down )?(?:in|by)|according to|(?:siehe|gemäß|laut|(?:beschrieben|festgelegt) in|setze?)|selon|según|secondo) (?:the (?:file|spec|specification|document|plan) |der Datei )?[`"'(]?((?:https?:\/\/[^\s<>"'`)\]]*[^\s<>"'`)\].,;:!?])|[\w@.-]*(?:\/[\w@.-]+)*\.(?:mdx?|txt|rst|adoc|pdf|ya?ml|json|html?|docx?|feature|proto|graphql))(?![\w/])/gi
