import { ApiError, type CallAnswer, type CallInput, createClient, type Operation } from '@portolan/contract';
import { addresses } from './operation-addresses.ts';
import { sendWithSession } from './session-fetch.ts';

type Contract = typeof import('@portolan/contract');

/** The operations of the contract by their names. */
export type Operations = {
  [Name in keyof Contract as Contract[Name] extends {
    readonly id: string;
    readonly path: string;
    readonly method: string;
  }
    ? Name
    : never]: Contract[Name];
};
export type OperationName = keyof Operations;
export type InputOf<Name extends OperationName> = Operations[Name] extends Operation
  ? CallInput<Operations[Name]>
  : never;
export type AnswerOf<Name extends OperationName> = Operations[Name] extends Operation
  ? CallAnswer<Operations[Name]>
  : never;

/** Not GET, and read only. */
const reading = /^(search|top|group|aggregate|get|list|evaluate|explain|simulate|rehearse|preview|test)/;
let wroteAt = 0;

/** When this page last changed something, or asked to. */
export function lastWriteAt(): number {
  return wroteAt;
}

const client = createClient({ baseUrl: location.origin, fetch: sendWithSession });

/**
 * Calls an operation of the contract by its name, as the person who is signed in.
 * @throws ApiError for every answer that is not a success
 */
export async function call<Name extends OperationName>(name: Name, input?: InputOf<Name>): Promise<AnswerOf<Name>> {
  const isWrite = addresses[name]?.method !== 'GET' && !reading.test(name);
  if (isWrite) wroteAt = Date.now();
  const answer = await client.call(addresses[name] as unknown as Operation, input as CallInput<Operation>);
  if (isWrite) wroteAt = Date.now();
  return answer as AnswerOf<Name>;
}

/** The open answer of an operation, for streams. @throws ApiError */
export function open<Name extends OperationName>(name: Name, input?: InputOf<Name>): Promise<Response> {
  return client.open(addresses[name] as unknown as Operation, input as CallInput<Operation>);
}

/** The code of an error answer, such as `not_found`; undefined for everything that is none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof ApiError ? error.body?.error : undefined;
}

/** The status of an error answer; 0 where the server could not be reached. */
export function errorStatus(error: unknown): number {
  return error instanceof ApiError ? error.status : 0;
}

export { ApiError };
