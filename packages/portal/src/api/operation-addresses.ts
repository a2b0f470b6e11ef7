import type { Operation } from '@portolan/contract/operation';
import { operations } from '@portolan/contract/operations';

/** What a browser needs to call an operation. */
export type OperationAddress = Pick<Operation, 'id' | 'method' | 'path' | 'access' | 'isReadOnly'>;

/**
 * Every operation of the contract by its id. The build replaces this file by its result, so that the schemas stay out of
 * what browsers load; see build/operation-addresses.ts.
 */
export const addresses: Readonly<Record<string, OperationAddress>> = Object.fromEntries(
  operations.map(({ id, method, path, access, isReadOnly }) => [
    id,
    { id, method, path, access, ...(isReadOnly ? { isReadOnly } : {}) },
  ]),
);
