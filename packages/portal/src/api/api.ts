import { ApiError, type CallAnswer, type CallArguments, type CallInput, createClient } from '@portolan/contract/client';
import { type Operation, onlyReads } from '@portolan/contract/operation';
import type { Operations } from '@portolan/contract/operations';
import { createPositions } from '@portolan/contract/position';
import { addresses } from './operation-addresses.ts';
import { sendWithSession } from './session-fetch.ts';
import { tabsStore } from './tabs-store.ts';

export type OperationName = keyof Operations;
type Any = Operations[OperationName];
type Inputs = { readonly [O in Any as O['id']]: CallInput<O> };
type Arguments = { readonly [O in Any as O['id']]: CallArguments<CallInput<O>> };
type Answers = { readonly [O in Any as O['id']]: CallAnswer<O> };
export type InputOf<Name extends OperationName> = Inputs[Name];
/** The input of an operation as an optional last argument: required only if the operation has required input. */
export type ArgumentsOf<Name extends OperationName> = Arguments[Name];
export type AnswerOf<Name extends OperationName> = Answers[Name];

let wroteAt = 0;

/** When this page last sent or completed a change. */
export function lastWriteAt(): number {
  return wroteAt;
}

/** What has changed on the server is known here; other tabs go on from where this one is. */
const positions = createPositions(tabsStore('portolan.position'));
const client = createClient({ baseUrl: location.origin, fetch: sendWithSession, positions });

/** What is read from now on shows what the live stream has told. */
export function expectNews(): void {
  positions.miss();
}

/**
 * Calls an operation of the contract as the signed-in user.
 * @throws ApiError for every unsuccessful answer
 */
export function call<Name extends OperationName>(name: Name, ...input: ArgumentsOf<Name>): Promise<AnswerOf<Name>>;
export function call<Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<AnswerOf<Name>>;
export async function call(name: OperationName, input?: CallInput<Operation>): Promise<unknown> {
  const operation = findOperation(name);
  const isWrite = !onlyReads(operation);
  if (isWrite) wroteAt = Date.now();
  const answer = await client.call(operation, input);
  if (isWrite) wroteAt = Date.now();
  return answer;
}

/** The raw response of an operation, for streams. @throws ApiError */
export function open<Name extends OperationName>(name: Name, ...input: ArgumentsOf<Name>): Promise<Response>;
export function open(name: OperationName, input?: CallInput<Operation>): Promise<Response> {
  return client.open(findOperation(name), input);
}

function findOperation(name: OperationName): Operation {
  return addresses[name] as unknown as Operation;
}

/** The code of an error answer, such as `not_found`; undefined for other errors. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof ApiError ? error.body?.error : undefined;
}

/** The status of an error answer; 0 if the server could not be reached. */
export function errorStatus(error: unknown): number {
  return error instanceof ApiError ? error.status : 0;
}

export { ApiError };
