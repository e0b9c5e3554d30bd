import { assumption } from './claim.ts'

/** Commands and their settings. */
export const commandLine = {
  'with-parent': assumption(
    'Under npm, npx and the like, `sandbox start`, `listen`, `logs tail` and `webhook receive` stop when ' +
      'the process that started them has ended; elsewhere they go on. If that process is a shell, the end ' +
      'of its own parent counts too.',
    'npm does not pass every signal on. A command started with `&` or by `nohup` is meant to stay.',
    '`withParent`',
  ),
  credentials: assumption(
    'A key or token goes only where the user said. [The file of a ' +
      'project](profiles.md#the-sandbox-of-a-project) names no service, key or profile. ' +
      '[Details](#credentials).',
    'A user who clones a repository must not send keys to an address that its files name.',
    '`TILLBOX_BASE_URL`, `--base-url`, `--api-key`, profiles',
  ),
  'which-sandbox': assumption(
    'A command that changes a sandbox itself, and that only the default port led to one, [is ' +
      'refused](command-line.md#where-a-command-is-sent). Payments go on, and what a cardholder does at a ' +
      'terminal. A folder with a `.tillbox` of its own uses no other sandbox.',
    "A `sandbox reset` in the wrong window must not delete another project's payments.",
    '`--state`, `--base-url`, `TILLBOX_BASE_URL`',
  ),
  'settings-precedence': assumption(
    'Flag, environment, profile, in [this order](profiles.md#which-setting-wins). Of a project only the state ' +
      'folder of its sandbox counts, after these.',
    'One rule that everybody knows from other tools.',
  ),
  'live-profiles': assumption(
    'Operations that change anything [ask first](profiles.md#real-money) at a service that may be live. A ' +
      'profile applies to its own URL alone.',
    'Money is real there.',
    '`live`, `--live`',
  ),
  'earlier-results': assumption(
    '[`@last`](command-line.md#finding-a-transaction) and its kin go by time of acceptance, whatever ' +
      'created a transaction and however it ended. `@last:declined` and `@last:payment` are the newest of ' +
      'that kind. For a follow-up, `@last` and `@last-1` count only those that it can act on, by time of ' +
      'completion.',
    'A follow-up is typed right after its original.',
  ),
  'written-amounts': assumption(
    'Amounts that people type are in [major units](command-line.md#amounts-and-times); more decimals than ' +
      'the currency has are refused. Where a bare whole number could be cents, flags and scenarios refuse ' +
      'it; prompts and pages take major units, and a decimal comma.',
    '`--amount 10` charged ten cents. Somebody who is asked for an amount means dollars; a script may ' +
      'mean cents.',
    '`--minor`; `minor` in a scenario',
  ),
  'cli-input': assumption(
    "Commands generate ids that are left out, use USD for a first transaction and the original's currency " +
      'for a follow-up, and send a description. Typed amounts take the shape that a file of `--input` has; ' +
      'an argument that names another transaction than the file is refused. [Short ' +
      'forms](command-line.md#making-requests) of `tipConfig` and `signatureConfig` send `useHostConfig: ' +
      'false`, so that they count. `tillbox api -d` reads values as `gh api -F`, and `:=` as HTTPie. An ' +
      'integer that loses digits is refused, here and in `--set` of a notification. These stay text: a ' +
      'field that the operation takes as text, and a number that would be written differently (`1.0`, 20 ' +
      'digits). Without data, a POST sends `{}`.',
    'A first sale should need no setting. A request in a file should be sent again with one change. Ids ' +
      'look like numbers but are text.',
    'the flags; `name:=json`',
  ),
  'cli-answers': assumption(
    'What commands read is [limited](#cli-answers) in size and time. An accepted answer must have the ids ' +
      'and states that decide what comes next; one of the control interface must have everything that is ' +
      'shown. Otherwise the command exits with 3, and names the ids to look up. Other fields may be missing ' +
      'or of another type: a number is shown as text, other types are left out.',
    'Bounded memory and time, whatever answers. A script must never read an unusable answer as a refusal, ' +
      'and pay again.',
  ),
}
