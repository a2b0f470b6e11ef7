import { createAccessToken } from '@portolan/contract/auth';
import { type Client, createClient } from '@portolan/contract/client';
import manifest from '../package.json' with { type: 'json' };
import type { Arguments } from './command.ts';
import { type Credentials, readAddress, readCredentials, readOperatorToken } from './config.ts';
import type { Context } from './context.ts';
import { type Caller, explainError } from './explain-error.ts';

export const version: string = manifest.version;

/** A client with the address that it talks to. */
export interface Connection {
  readonly client: Client;
  readonly address: string;
}

/** Appears as the data source of everything the CLI writes. */
const userAgent = `portolan-cli/${version}`;

/** A new token is fetched this long before the current one expires. */
const renewBeforeMs = 60_000;

/** A client that gets an access token for the credentials and renews it before it expires. */
export function connect(input: Arguments, context: Context): Connection {
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

export function connectAsOperator(input: Arguments, context: Context) {
  const address = readAddress(input, context).value;
  const token = readOperatorToken(context, address);
  const client = createClient({ baseUrl: address, userAgent, fetch: context.fetch, token: async () => token });
  return { client, address };
}

/** Runs calls to the server. @throws CliError in place of the client's errors */
export async function explained<T>(address: string, calls: () => Promise<T>, caller: Caller = 'client'): Promise<T> {
  try {
    return await calls();
  } catch (error) {
    throw explainError(error, address, caller) ?? error;
  }
}
