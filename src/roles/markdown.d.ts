/** The text of a file, as it was when the package was built. */
declare module '*.md' {
  const text: string
  export default text
}
