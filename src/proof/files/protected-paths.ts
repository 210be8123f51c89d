// Files that decide, by their name alone, how work is judged. Adding one counts too: it overrides what was there.

/** A folder may be a link that leads to another. */
const ordersForAgents =
  /(?:^|\/)(?:AGENTS(?:\.\w+)?\.md|CLAUDE(?:\.\w+)?\.md|GEMINI\.md|QWEN\.md|\.cursorrules|\.windsurfrules|\.clinerules|\.roorules|\.goosehints|\.mcp\.json|opencode\.jsonc?|\.aider[^/]*)$|(?:^|\/)(?:\.cursor|\.windsurf|\.clinerules|\.roo|\.claude|\.codex|\.gemini|\.qwen|\.copilot|\.agents|\.opencode|\.github\/(?:instructions|prompts|chatmodes|agents))(?:\/|$)|^\.github\/copilot-instructions\.md$/i

const integration =
  /^(?:\.github\/(?:workflows|actions)\/|\.circleci\/|\.ci\/|\.buildkite\/|\.gitlab\/|\.teamcity\/|\.woodpecker|\.semaphore\/|\.harness\/|\.tekton\/|\.azure-pipelines\/|\.builds\/|\.(?:forgejo|gitea)\/(?:workflows|actions)\/)|^(?:\.gitlab-ci\.ya?ml|azure-pipelines\S*\.ya?ml|\.travis\.yml|\.?appveyor\.yml|bitbucket-pipelines\.yml|\.drone\.(?:ya?ml|star|jsonnet)|cloudbuild\.ya?ml|\.cirrus\.(?:yml|star)|bitrise\.yml|wercker\.yml|buildspec\S*\.ya?ml|codefresh\.yml|codemagic\.yaml|\.build\.yml|\.vsts-ci\.yml|\.prow\.ya?ml|\.cds\.ya?ml)$|(?:^|\/)Jenkinsfile$/i

const kinds: [string, RegExp][] = [
  [
    'test configuration',
    /^(?!(?:.*\/)?(?:examples?|samples?|docs?|templates?|playground)\/)(?:.*\/)?(?:(?:vitest|jest|ava|playwright|cypress)\.(?:config|workspace|setup|preset)\.\w+|vitest\.workspace\.\w+|setupTests\.[jt]sx?|\.mocharc(?:\.\w+)?|mocha\.opts|karma\.conf\.\w+|wdio\.conf\.\w+|jasmine\.json|cypress\.json|\.taprc|node\.config\.json|bunfig\.toml|\.?pytest\.(?:ini|toml)|\.rspec|phpunit\.xml(?:\.dist)?|nextest\.toml|\.env\.(?:test|ci)(?:\.\w+)?|sitecustomize\.py|usercustomize\.py)$/i,
  ],
  ['part of continuous integration', integration],
  ["Ropewalk's own configuration", /^ropewalk\.ya?ml$|^\.ropewalk\//i],
]

/** What kind of protected file this is, or null. */
export const protectedKind = (path: string): string | null =>
  tellsAgents(path) ? 'an instruction file for agents' : (kinds.find(([, names]) => names.test(path))?.[0] ?? null)

export const isIntegration = (path: string): boolean => integration.test(path)

/** Products of agents read it by themselves, and do as it says. */
export const tellsAgents = (path: string): boolean => ordersForAgents.test(path) && !aboutAgents.test(path)

/** A page for people may be called `agents.md`. */
const aboutAgents = /^docs?\/(?:.*\/)?[a-z]+\.md$/
