import type { Operation } from '@portolan/contract/operation';
import { operations } from '@portolan/contract/operations';

/** The parts of an operation that a browser needs to call it. */
export type OperationAddress = Pick<Operation, 'id' | 'method' | 'path' | 'access' | 'isReadOnly'>;

/**
 * Every operation of the contract by id. The build replaces this file with its result, which keeps the zod schemas out
 * of the browser bundle; see build/operation-addresses.ts.
 */
export const addresses: Readonly<Record<string, OperationAddress>> = Object.fromEntries(
  operations.map(({ id, method, path, access, isReadOnly }) => [
    id,
    { id, method, path, access, ...(isReadOnly ? { isReadOnly } : {}) },
  ]),
);
