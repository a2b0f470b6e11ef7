/** What a command ends with; documented in `portolan help` and docs/guides/command-line.md, and never renumbered. */
export const exitCodes = {
  /** It did what was asked. */
  ok: 0,
  /** The server refused or failed, or the invocation failed. */
  failed: 1,
  /** The command was called wrongly; nothing was sent. */
  usage: 2,
  /** The server cannot be reached or is not ready. */
  unreachable: 3,
  /** No credentials, wrong ones, or a missing permission. */
  denied: 4,
  /** An import or a data migration did only a part, or found records that would be refused. */
  partial: 5,
  /** Interrupted with Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
