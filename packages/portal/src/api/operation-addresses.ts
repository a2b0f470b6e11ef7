import * as contract from '@portolan/contract';

/** What a browser needs to call an operation. */
export interface OperationAddress {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly access: string;
}

/**
 * Every operation of the contract by the name it is exported under. The build replaces this file by its result, so that
 * the schemas stay out of what browsers load; see build/operation-addresses.ts.
 */
export const addresses: Readonly<Record<string, OperationAddress>> = Object.fromEntries(
  Object.entries(contract as Readonly<Record<string, unknown>>).flatMap(([name, value]) => {
    const { id, method, path, access } = (value ?? {}) as Partial<OperationAddress>;
    return id && method && path && access ? [[name, { id, method, path, access }]] : [];
  }),
);
