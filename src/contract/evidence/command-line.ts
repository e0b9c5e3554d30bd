import { assumption } from './claim.ts'

/** Commands and their settings. */
export const commandLine = {
  'with-parent': assumption(
    'Under npm, npx and similar tools, `sandbox start`, `listen`, `logs tail` and `webhook receive` stop ' +
      'when the process that started them ends. If that process is a shell, they also stop when the ' +
      "shell's parent ends. Elsewhere they continue.",
    'npm does not pass every signal on. A command that was started with `&` or `nohup` should continue.',
    '`withParent`',
  ),
  credentials: assumption(
    'A key or token is sent only to addresses that the user configured ' +
      "([security](../SECURITY.md#a-hostile-repository)). [A project's " +
      'file](profiles.md#the-sandbox-of-a-project) cannot name a service, key or profile.',
    'A user who clones a repository must not send keys to an address in its files.',
    '`TILLBOX_BASE_URL`, `--base-url`, `--api-key`, profiles',
  ),
  'which-sandbox': assumption(
    'A command means the sandbox that is named, else that of [its ' +
      'project](lifecycle.md#which-sandbox-a-command-means), and never another one instead. In a folder of no ' +
      'project, look-ups and new payments use the sandbox on the usual port; all other changes are refused. So ' +
      'are changes where `profile use` and the project name two sandboxes.',
    "A `sandbox reset` in the wrong window must not delete another project's payments.",
    '`--state`, `--base-url`, `--profile`, `TILLBOX_BASE_URL`, `TILLBOX_STATE`',
  ),
  'settings-precedence': assumption(
    'Flags override the environment, which overrides the profile: [this ' +
      'order](profiles.md#which-setting-wins). A project adds only the state folder of its sandbox, with ' +
      'the lowest precedence. The settings are resolved once, for every part of a command.',
    'Everybody knows this rule from other tools.',
  ),
  'live-profiles': assumption(
    'At a service that may be live, operations that change anything [ask first](profiles.md#real-money). ' +
      'A profile applies only to its own URL.',
    'Real money moves there.',
    '`live`, `--live`',
  ),
  'earlier-results': assumption(
    '[`@last`](command-line.md#finding-a-transaction) and similar names count transactions by time of acceptance, ' +
      'whoever made them. `@last:declined` and `@last:payment` are the newest of ' +
      'that kind. For a follow-up, `@last` and `@last-1` count only transactions on which it can act, by ' +
      'time of completion.',
    'People type a follow-up right after its original.',
  ),
  'written-amounts': assumption(
    'Amounts that people type are in [major units](command-line.md#amounts-and-times). More decimals ' +
      'than the currency has are refused. If a whole number such as `10` could mean cents, flags and ' +
      'scenarios refuse it. Prompts and pages read it as major units, and accept a decimal comma; a comma ' +
      'before three digits is refused.',
    'Before this rule, `--amount 10` meant 10 cents. People mean dollars; scripts may mean cents.',
    '`--minor`; `minor` in a scenario',
  ),
  'cli-input': assumption(
    'Commands generate ids that you omit, and send a description. The default currency is USD, or the ' +
      "original's for a follow-up. With `--input`, typed amounts take the shape of the file's amount; an " +
      'argument must not name another transaction than the file. [Short ' +
      'forms](command-line.md#making-requests) of `tipConfig` and `signatureConfig` send `useHostConfig: ' +
      'false`, so that they take effect. `tillbox api -d` reads values as `gh api -F`, and `:=` as HTTPie. ' +
      'These stay strings: a field that the operation takes as a string, and a number that would be ' +
      'written differently (`1.0`, 20 digits). A typed integer that would lose digits is refused, also in ' +
      '`--set` of a notification. A POST without data sends `{}`.',
    'A first sale should need no setting. A request in a file can be sent again with one change. Ids ' +
      'look like numbers, but are strings.',
    'the flags; `name:=json`',
  ),
  'cli-answers': assumption(
    'The size and time of answers that commands read are [limited](#cli-answers). An accepted answer ' +
      'must have the ids and states that the next step needs. An answer of the control interface must have ' +
      'everything that is shown. Otherwise the command exits with 3, and names the ids to look up. Other ' +
      'fields may be missing or have another type: a number is shown as a string, other types are omitted.',
    'Memory and time are bounded, whatever answers. A script must not take an unusable answer for a ' +
      'refusal, and pay again.',
  ),
}
