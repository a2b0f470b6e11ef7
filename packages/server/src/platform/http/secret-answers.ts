import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Operation } from '@portolan/contract/operation';
import { replaceAt, secretPaths } from '@portolan/contract/secret-fields';
import { mask, type SecretScope } from '../secrets/secret-scope.ts';

/** The operation of each answer, as the response does not carry it. */
const answered = new WeakMap<ServerResponse, Operation>();

export function noteSecretAnswer(operation: Operation, response: ServerResponse): void {
  if (secretPaths(operation.answer).length > 0) answered.set(response, operation);
}

export function holdsSecrets(response: ServerResponse): boolean {
  return answered.has(response);
}

/** The body as it may be stored or shown: secrets marked in the contract are masked. */
export function withoutSecrets(response: ServerResponse, body: string): string {
  const operation = answered.get(response);
  if (!operation || body === '') return body;
  return JSON.stringify(replaceAt(JSON.parse(body), secretPaths(operation.answer), () => mask));
}

/**
 * A body made while secrets were opened: they stay where the contract marks a secret and are masked everywhere else.
 * Whoever reads a stream does the same with what it reads.
 */
export function onlyWhereSecretsBelong(operation: Operation, body: unknown, opened: SecretScope | undefined): unknown {
  if (!opened || opened.isEmpty || Buffer.isBuffer(body) || body instanceof Readable) return body;
  return replaceAt(opened.mask(body), secretPaths(operation.body), (_masked, at) => valueAt(body, at));
}

function valueAt(value: unknown, at: readonly string[]): unknown {
  return at.reduce<unknown>((inner, name) => (inner as Readonly<Record<string, unknown>>)[name], value);
}
