import type { Sort } from '../../kit/column.ts';
import type { Query } from './operators.ts';

/** The settings of a table that the address, saved views and pages store. */
export interface View {
  readonly filter?: Query | undefined;
  readonly sort?: Sort | undefined;
  readonly group?: string | undefined;
  readonly columns?: readonly string[] | undefined;
}
