export {
  type AggregationSpec,
  type Figure,
  finishTally,
  parseAggregation,
  periodMs,
  type Tally,
  toStatistic,
} from './aggregation-spec.ts';
export { readCallerValues } from './caller-values.ts';
export type { CompileContext } from './compile-context.ts';
export { assertFits, compileCondition, compileQuery } from './compile-query.sql.ts';
export { and, type Condition, not, ofBlueprint, ofBlueprints, or, toSql, withKeys } from './condition.sql.ts';
export { shownOperand } from './displayed-operand.ts';
export { type IndexedValue, indexName, indexText, isCurrent, namePrefix, writeSlot } from './index-slot.ts';
export type { Operand, Slot } from './operand.sql.ts';
export { namesCaller, type SearchDeps, walks, withInner } from './query-context.ts';
export { sortOrder } from './sort-order.sql.ts';
export { answered, statistics } from './statistics.sql.ts';
export { teamNames } from './team-condition.sql.ts';
export { transactionReader } from './transaction-reader.ts';
export { escapeLike } from './value-condition.sql.ts';
