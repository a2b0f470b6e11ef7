import type { ContextValue, Scalar } from '@portolan/contract/search-values';
import type { Sql } from 'sql-template-tag';
import type { StoredBlueprint } from '../blueprints/index.ts';
import type { Slot } from './operand.sql.ts';

/** Values of the caller that rules name; empty or undefined if the caller has none. */
export type CallerValues = (reference: ContextValue) => readonly Scalar[] | undefined;

/** The blueprint searched, the caller, the clock, and how teams are named. */
export interface CompileContext {
  readonly orgId: string;
  readonly now: Date;
  /** Without it a property is any blueprint's of that name, and rules that need its definition are false. */
  readonly blueprint?: StoredBlueprint | undefined;
  /** All blueprints by identifier; without them paths lead nowhere. */
  readonly blueprints?: ReadonlyMap<string, StoredBlueprint> | undefined;
  readonly teamForm: 'identifier' | 'title';
  /** The teams of the literal "My Teams". */
  readonly teamKeys: readonly string[];
  /** Absent if the caller is no person: rules about the caller are then false. */
  readonly caller?: CallerValues | undefined;
  /**
   * Rows of `entities e` of any blueprint that the caller may read; absent for all. Unreadable entities are not passed,
   * and their values not compared.
   */
  readonly readable?: Sql | undefined;
  /** Computed properties, and keys inside them, that the caller may not see: rules on them find nothing. */
  readonly hidden?: Pick<ReadonlySet<string>, 'has'> | undefined;
  /** Whether unresolved team names match no rule, positive or negative. */
  readonly isStrictOnTeams?: boolean | undefined;
  /** Whether the rows are not stored, so that no path leads to or from them. */
  readonly isUnrelated?: boolean | undefined;
  /** Called for every value a rule compares, for indexes that follow use. */
  readonly note?: ((slot: Slot) => void) | undefined;
}
