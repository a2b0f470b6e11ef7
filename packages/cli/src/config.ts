import { readFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { CliError, usageError } from './cli-error.ts';
import type { Arguments, Option } from './command.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';

/** Where a value came from, in words. */
export interface ValueWithSource<T> {
  readonly value: T;
  readonly source: string;
}

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export const addressOptions = {
  url: { type: 'string', placeholder: 'address', description: 'the server; else PORTOLAN_URL, else port PORT (3000)' },
} as const satisfies Record<string, Option>;

export const connectionOptions = {
  ...addressOptions,
  'client-id': { type: 'string', placeholder: 'id', description: 'else PORTOLAN_CLIENT_ID, else the data folder’s' },
  'client-secret': {
    type: 'string',
    placeholder: 'secret',
    description: 'else PORTOLAN_CLIENT_SECRET, else the data folder’s',
  },
} as const satisfies Record<string, Option>;

type ConfigContext = Pick<Context, 'environment' | 'workingDirectory'>;

/** The server's address without a trailing slash. @throws CliError `usage` if it is not an http(s) URL */
export function readAddress(input: Arguments, { environment }: ConfigContext): ValueWithSource<string> {
  const option = input.text('url');
  if (option !== undefined) return { value: httpAddress(option, '--url'), source: '--url' };
  const set = environment['PORTOLAN_URL'];
  if (set) return { value: httpAddress(set, 'PORTOLAN_URL'), source: 'PORTOLAN_URL' };
  const port = environment['PORT'];
  return {
    value: httpAddress(`http://127.0.0.1:${port || '3000'}`, 'PORT'),
    source: port ? 'PORT' : 'the default',
  };
}

/**
 * Client id and secret, each from the options, else the environment, else the data folder, as the server reads them.
 * Secrets from the data folder are only sent to this machine or to PORTOLAN_PUBLIC_URL.
 * @throws CliError `credentials_missing`, `usage`
 */
export function readCredentials(
  input: Arguments,
  surroundings: ConfigContext,
  address: string,
): ValueWithSource<Credentials> {
  const optionId = input.text('client-id');
  const optionSecret = input.text('client-secret');
  if (optionId !== undefined && optionSecret !== undefined) {
    return { value: { clientId: optionId, clientSecret: optionSecret }, source: 'the options' };
  }
  if (optionId !== undefined || optionSecret !== undefined) {
    throw usageError('Give --client-id and --client-secret together.');
  }
  const clientId = readSetting(surroundings, 'PORTOLAN_CLIENT_ID');
  const clientSecret = readSetting(surroundings, 'PORTOLAN_CLIENT_SECRET');
  if (clientId && clientSecret) return { value: { clientId, clientSecret }, source: 'the environment' };
  const kept = readLocalSecrets(surroundings, address, 'PORTOLAN_CLIENT_ID and PORTOLAN_CLIENT_SECRET');
  const value = {
    clientId: clientId ?? kept.secrets.clientId,
    clientSecret: clientSecret ?? kept.secrets.clientSecret,
  };
  if (value.clientId && value.clientSecret) return { value: value as Credentials, source: kept.file };
  throw missing(
    `${kept.file} holds no client id and secret. Set PORTOLAN_CLIENT_ID and PORTOLAN_CLIENT_SECRET as the server has them.`,
  );
}

/**
 * PORTOLAN_OPERATOR_TOKEN, else the data folder's token, under the same rule. @throws CliError `credentials_missing`
 */
export function readOperatorToken(surroundings: ConfigContext, address: string): string {
  const set = readSetting(surroundings, 'PORTOLAN_OPERATOR_TOKEN');
  if (set) return set;
  const { secrets, file } = readLocalSecrets(surroundings, address, 'PORTOLAN_OPERATOR_TOKEN');
  if (secrets.operatorToken) return secrets.operatorToken;
  throw missing(`${file} holds no operator token. Set PORTOLAN_OPERATOR_TOKEN as the server has it.`);
}

interface LocalSecrets {
  readonly file: string;
  readonly secrets: { readonly clientId?: string; readonly clientSecret?: string; readonly operatorToken?: string };
}

function readLocalSecrets(surroundings: ConfigContext, address: string, names: string): LocalSecrets {
  const { environment, workingDirectory } = surroundings;
  const path = resolve(workingDirectory, environment['PORTOLAN_DATA_DIR'] || '.portolan', 'secrets.json');
  const shown = relative(workingDirectory, path);
  const file = shown.startsWith('..') || isAbsolute(shown) ? path : join('.', shown);
  if (!mayBeSentTo(address, environment['PORTOLAN_PUBLIC_URL'])) {
    throw missing(`The secrets of the data folder are not sent to ${address}, another machine. Set ${names}.`);
  }
  try {
    return { file, secrets: JSON.parse(readFileSync(path, 'utf8')) as LocalSecrets['secrets'] };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const what = code === 'ENOENT' ? `There is no ${file}` : `${file} cannot be read`;
    throw missing(`${what}. Run the command in the folder where the server was started, or set ${names}.`);
  }
}

function mayBeSentTo(address: string, publicUrl: string | undefined): boolean {
  const { hostname, origin } = new URL(address);
  if (hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)) return true;
  return publicUrl !== undefined && URL.canParse(publicUrl) && new URL(publicUrl).origin === origin;
}

/** A setting, or the content of the file named by `<name>_FILE`, like the server reads its own. */
function readSetting({ environment, workingDirectory }: ConfigContext, name: string): string | undefined {
  if (environment[name]) return environment[name];
  const file = environment[`${name}_FILE`];
  if (!file) return undefined;
  try {
    return readFileSync(resolve(workingDirectory, file), 'utf8').trim() || undefined;
  } catch {
    throw usageError(`${name}_FILE names ${file}, which cannot be read.`);
  }
}

function httpAddress(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return text.replace(/\/+$/, '').replace(/\/v1$/, '');
  throw usageError(`${name} is not an address: "${text}". It looks like http://127.0.0.1:3000.`);
}

function missing(message: string): CliError {
  return new CliError(exitCodes.denied, 'credentials_missing', message);
}
