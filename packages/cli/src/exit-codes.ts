/** Exit codes, documented in `portolan help` and docs/guides/command-line.md; never renumbered. */
export const exitCodes = {
  /** Success. */
  ok: 0,
  /** The server refused or failed, or the invocation failed. */
  failed: 1,
  /** A mistake in the call, and nothing was sent; of `eval`, in its set-up too. */
  usage: 2,
  /** The server cannot be reached or is not ready. */
  unreachable: 3,
  /** Missing or wrong credentials, or a missing permission. */
  denied: 4,
  /** An import or a data migration was only partly done, or found records that would be refused. */
  partial: 5,
  /** Interrupted with Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The code with which a program of the server ended, or that of a failure where it is none of ours. */
export function toExitCode(code: number): ExitCode {
  return Object.values(exitCodes).find((each) => each === code) ?? exitCodes.failed;
}
