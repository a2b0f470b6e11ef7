import type { ServerResponse } from 'node:http';
import { type Operation, replaceAt, secretPaths } from '@portolan/contract';
import { mask, type SecretScope } from '../secrets/secret-scope.ts';

/** Which operation gave an answer that holds secrets; the answer itself says nothing of it. */
const answered = new WeakMap<ServerResponse, Operation>();

export function noteSecretAnswer(operation: Operation, response: ServerResponse): void {
  if (secretPaths(operation.answer).length > 0) answered.set(response, operation);
}

/** Whether an answer is to an operation whose answers hold secrets. */
export function holdsSecrets(response: ServerResponse): boolean {
  return answered.has(response);
}

/** The body of an answer as it may be kept or shown: what the contract marks as a secret is masked. */
export function withoutSecrets(response: ServerResponse, body: string): string {
  const operation = answered.get(response);
  if (!operation || body === '') return body;
  return JSON.stringify(replaceAt(JSON.parse(body), secretPaths(operation.answer), () => mask));
}

/**
 * A body that was made while secrets were opened: they go where the contract says that a secret belongs, and nowhere
 * else, since everything else is stored for people to read.
 */
export function onlyWhereSecretsBelong(operation: Operation, body: unknown, opened: SecretScope | undefined): unknown {
  if (!opened || opened.isEmpty || Buffer.isBuffer(body)) return body;
  return replaceAt(opened.mask(body), secretPaths(operation.body), (_masked, at) => valueAt(body, at));
}

function valueAt(value: unknown, at: readonly string[]): unknown {
  return at.reduce<unknown>((inner, name) => (inner as Readonly<Record<string, unknown>>)[name], value);
}
