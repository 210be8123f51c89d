/** Where workspaces, clean places, spools and result files are on this machine; ids pass one validating function. */
export interface Places {
  workspace(delivery: string, story: string, attempt: number): string
  /** A fresh, empty path for one clean export. */
  clean(delivery: string, step: string): string
  /** Where all clean places of a delivery are. */
  cleanFolder(delivery: string): string
  spool(delivery: string, name: string): string
  result(delivery: string, name: string): string
}
