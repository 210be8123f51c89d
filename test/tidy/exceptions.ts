/** Files under 25 lines that stay although one module alone imports them, and why. */
export const keptSmall: Record<string, string> = {
  'src/adapters/secrets-secretlint/scan.ts': 'a whole adapter, which main loads when it is first needed',
  'src/delivery/route.ts': 'the one place where the machines of the law meet',
}
