import { posix } from 'node:path'

/** A tool that makes a lock file from its manifest, and changes nothing in it that need not change. */
export interface LockTool {
  tool: string
  manifests: string[]
  run: string
}

/** The tool of a lock file; null for every other file. */
export const lockToolFor = (path: string): LockTool | null => tools[posix.basename(path)] ?? null

const npm: LockTool = {
  tool: 'npm',
  manifests: ['package.json'],
  run: 'npm install --package-lock-only --ignore-scripts --no-audit --no-fund',
}

const tools: Record<string, LockTool> = {
  'package-lock.json': npm,
  'npm-shrinkwrap.json': npm,
  'yarn.lock': {
    tool: 'yarn',
    manifests: ['package.json', '.yarnrc.yml'],
    run: 'case "$(yarn --version)" in 1.*) yarn install --ignore-scripts --non-interactive ;; *) YARN_ENABLE_SCRIPTS=0 YARN_ENABLE_IMMUTABLE_INSTALLS=0 yarn install --mode=update-lockfile ;; esac',
  },
  'pnpm-lock.yaml': {
    tool: 'pnpm',
    manifests: ['package.json', 'pnpm-workspace.yaml'],
    run: 'pnpm install --lockfile-only --ignore-scripts --no-frozen-lockfile',
  },
  'Cargo.lock': { tool: 'cargo', manifests: ['Cargo.toml'], run: 'cargo update --workspace' },
  'go.sum': { tool: 'go', manifests: ['go.mod'], run: 'go mod tidy' },
  'poetry.lock': {
    tool: 'poetry',
    manifests: ['pyproject.toml'],
    run: 'poetry lock --no-update --no-interaction || poetry lock --no-interaction',
  },
  'uv.lock': { tool: 'uv', manifests: ['pyproject.toml'], run: 'uv lock' },
  'Gemfile.lock': { tool: 'bundle', manifests: ['Gemfile'], run: 'bundle lock' },
  'composer.lock': {
    tool: 'composer',
    manifests: ['composer.json'],
    run: 'composer update --minimal-changes --no-install --no-scripts --no-plugins --no-interaction',
  },
}
