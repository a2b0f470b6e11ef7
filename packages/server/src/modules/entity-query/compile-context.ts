import type { ContextValue, Scalar } from '@portolan/contract';
import type { Sql } from 'sql-template-tag';
import type { StoredBlueprint } from '../blueprints/index.ts';
import type { Slot } from './operand.ts';

/** Values of the caller that rules name; undefined or nothing where the caller has none. */
export type CallerValues = (reference: ContextValue) => readonly Scalar[] | undefined;

/** What a query is compiled for: the blueprint searched, the caller, the clock, and how teams are named there. */
export interface CompileContext {
  readonly orgId: string;
  readonly now: Date;
  /** Without it, a property is whatever any blueprint calls so, and rules that need its definition are false. */
  readonly blueprint?: StoredBlueprint | undefined;
  /** All blueprints by identifier: paths lead over them, and without them nowhere. */
  readonly blueprints?: ReadonlyMap<string, StoredBlueprint> | undefined;
  readonly teamForm: 'identifier' | 'title';
  /** Keys of the caller's teams: what the literal "My Teams" stands for. */
  readonly teamKeys: readonly string[];
  /** Absent for callers that are no person: rules about the caller are then false. */
  readonly caller?: CallerValues | undefined;
  /**
   * Which rows of `entities e` the caller may read, of any blueprint; absent where all. What cannot be read is not
   * walked over and its values are not compared.
   */
  readonly readable?: Sql | undefined;
  /** Names of computed properties, or of what is in them, that the caller may not see: nothing is found by them. */
  readonly hidden?: Pick<ReadonlySet<string>, 'has'> | undefined;
  /** Whether team names that resolved to nothing match no rule, neither a positive nor a negative one. */
  readonly isStrictOnTeams?: boolean | undefined;
  /** Whether the rows are not stored, so that no path leads from or to them. */
  readonly isUnrelated?: boolean | undefined;
  /** Told of every value a rule compares, for indexes that follow use. */
  readonly note?: ((slot: Slot) => void) | undefined;
}
