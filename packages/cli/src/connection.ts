import { createAccessToken } from '@portolan/contract/auth';
import { type Client, createClient } from '@portolan/contract/client';
import manifest from '../package.json' with { type: 'json' };
import type { Arguments } from './command.ts';
import { type Credentials, readAddress, readCredentials, readOperatorToken } from './config.ts';
import type { Context } from './context.ts';
import { type Caller, explainError } from './explain-error.ts';

/** The version of the command line. */
export const version: string = manifest.version;

/** Shown as the data source of what the command line writes. */
const userAgent = `portolan-cli/${version}`;

/** A new token is fetched this long before the old one ends. */
const renewBeforeMs = 60_000;

/** A client that gets its token with the credentials of the call, and a new one before it ends. */
export function connect(input: Arguments, context: Context): { readonly client: Client; readonly address: string } {
  const address = readAddress(input, context).value;
  const { value } = readCredentials(input, context, address);
  return { address, client: connectWith(value, address, context) };
}

export function connectWith(credentials: Credentials, address: string, context: Context): Client {
  const open = createClient({ baseUrl: address, userAgent, fetch: context.fetch });
  let current: { readonly token: string; readonly renewAt: number } | undefined;
  const token = async (): Promise<string> => {
    if (current && Date.now() < current.renewAt) return current.token;
    const { accessToken, expiresIn } = await open.call(createAccessToken, { body: credentials });
    current = { token: accessToken, renewAt: Date.now() + expiresIn * 1000 - renewBeforeMs };
    return accessToken;
  };
  return createClient({ baseUrl: address, userAgent, fetch: context.fetch, token });
}

/** A client for the operator's operations. */
export function connectAsOperator(input: Arguments, context: Context) {
  const address = readAddress(input, context).value;
  const token = readOperatorToken(context, address);
  const client = createClient({ baseUrl: address, userAgent, fetch: context.fetch, token: async () => token });
  return { client, address };
}

/** Runs calls to the server. @throws CliError instead of what the client throws */
export async function explained<T>(address: string, calls: () => Promise<T>, caller: Caller = 'client'): Promise<T> {
  try {
    return await calls();
  } catch (error) {
    throw explainError(error, address, caller) ?? error;
  }
}
