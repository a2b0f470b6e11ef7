import type { Client } from '@portolan/contract/client';
import { isRecord } from '@portolan/contract/json-value';
import { getSourceType } from '@portolan/contract/source-types';
import { usageError } from '../cli-error.ts';
import type { Arguments } from '../command.ts';
import { type Context, readInput } from '../context.ts';

/** What the call gives of a source: settings as text, and secrets from where nobody else reads them. */
export interface Given {
  readonly set: ReadonlyMap<string, string>;
  readonly secrets: Readonly<Record<string, string>>;
}

/** @throws CliError `usage` for what is no pair, and for a secret that is not there */
export async function readGiven(input: Arguments, context: Context): Promise<Given> {
  const secrets: Record<string, string> = {};
  for (const [name, variable] of readPairs(input, 'secret-env', 'token=GITHUB_TOKEN')) {
    const value = context.environment[variable];
    if (!value) throw usageError(`The environment variable ${variable} is not set; --secret-env ${name} needs it.`);
    secrets[name] = value;
  }
  const fromInput = input.text('secret-stdin');
  if (fromInput !== undefined) {
    const value = (await readInput(context)).trim();
    if (!value) throw usageError(`Nothing came on stdin for --secret-stdin ${fromInput}.`);
    secrets[fromInput] = value;
  }
  return { set: new Map(readPairs(input, 'set', 'owners=acme')), secrets };
}

function readPairs(input: Arguments, option: string, example: string): (readonly [string, string])[] {
  return input.list(option).map((text) => {
    const at = text.indexOf('=');
    // what follows may be a secret that somebody meant well with: it is not repeated
    if (at < 1) throw usageError(`--${option} takes a name and a value, such as ${example}.`);
    return [text.slice(0, at), text.slice(at + 1)];
  });
}

interface Setting {
  readonly type?: string;
  readonly writeOnly?: boolean;
}

/**
 * The settings in the form of the type.
 * @throws CliError `usage` for unknown names, secrets among them, and values of another kind
 */
export async function toSettings(client: Client, type: string, { set }: Given): Promise<Record<string, unknown>> {
  if (set.size === 0) return {};
  const { sourceType } = await client.call(getSourceType, { params: { source_type: type } });
  const known = (sourceType.settings['properties'] ?? {}) as Readonly<Record<string, Setting>>;
  return Object.fromEntries([...set].map(([name, text]) => [name, toValue(name, text, known, type)]));
}

function toValue(name: string, text: string, known: Readonly<Record<string, Setting>>, type: string): unknown {
  const setting = Object.hasOwn(known, name) ? known[name] : undefined;
  if (!setting) {
    const names = Object.keys(known).filter((each) => !known[each]?.writeOnly);
    throw usageError(`"${name}" is no setting of ${type}. There are: ${names.join(', ')}.`);
  }
  if (setting.writeOnly) {
    throw usageError(`"${name}" is a secret: give it with --secret-env ${name}=VARIABLE or --secret-stdin ${name}.`);
  }
  const read = readers[setting.type ?? 'string'];
  const value = read ? read(text) : text;
  if (value !== undefined) return value;
  throw usageError(`--set ${name} takes ${kinds[setting.type ?? ''] ?? 'another value'}, not "${text}".`);
}

const kinds: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'a JSON object',
};

/** Undefined for a text that is no such value. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  integer: (text) => (/^-?\d+$/.test(text) ? Number(text) : undefined),
  number: (text) => (text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined),
  boolean: (text) => ({ true: true, false: false })[text],
  array: (text) => text.split(',').flatMap((part) => part.trim() || []),
  object: (text) => {
    try {
      const parsed: unknown = JSON.parse(text);
      return isRecord(parsed) ? parsed : undefined;
    } catch {
      return undefined;
    }
  },
};
