import type { Client } from '@portolan/contract/client';
import type { Arguments } from '../command.ts';
import type { Context } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';

export interface CommandResult {
  readonly json: object;
  readonly text: string;
  readonly code?: ExitCode;
}

/** What is read of files and words before anything is sent. */
export type Verb = (
  input: Arguments,
  word: string | undefined,
  context: Context,
) => Promise<(client: Client) => Promise<CommandResult>>;
