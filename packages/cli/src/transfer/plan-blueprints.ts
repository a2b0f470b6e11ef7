import { isDeepStrictEqual } from 'node:util';
import { type Blueprint, blueprintBody, blueprintPatch } from '@portolan/contract/blueprints';
import { type BlueprintRecord, shapeProblem, type TransferProblem } from '@portolan/contract/transfer-file';

/** What an import does with the blueprints of a file. */
export interface BlueprintPlan {
  readonly create: readonly BlueprintRecord[];
  readonly update: readonly BlueprintRecord[];
  readonly unchanged: readonly BlueprintRecord[];
  /** Blueprints that the server would refuse as malformed; they are in none of the lists. */
  readonly problems: readonly TransferProblem[];
}

type PlannedChange = Exclude<keyof BlueprintPlan, 'problems'>;

/** Compares the file with the server. An import adds and changes but removes nothing, and so does the plan. */
export function planBlueprints(records: readonly BlueprintRecord[], existing: readonly Blueprint[]): BlueprintPlan {
  const current = new Map(existing.map((blueprint) => [blueprint.identifier, blueprint]));
  const plan: Record<PlannedChange, BlueprintRecord[]> & { problems: TransferProblem[] } = {
    create: [],
    update: [],
    unchanged: [],
    problems: [],
  };
  for (const record of records) {
    const before = current.get(record.identifier);
    const problem = shapeProblem(before ? blueprintPatch : blueprintBody, record.body);
    if (problem) plan.problems.push({ line: record.line, blueprint: record.identifier, ...problem });
    else plan[plannedChange(record, before)].push(record);
  }
  return plan;
}

/** Maps that a file may list only in part. */
const merged: ReadonlySet<string> = new Set([
  'schema',
  'properties',
  'relations',
  'mirrorProperties',
  'calculationProperties',
  'aggregationProperties',
]);

function plannedChange({ body }: BlueprintRecord, current: Blueprint | undefined): PlannedChange {
  if (!current) return 'create';
  return holds(current, body) ? 'unchanged' : 'update';
}

/** Whether the current value already contains everything written. */
export function holds(current: unknown, written: object): boolean {
  if (typeof current !== 'object' || current === null) return Object.keys(written).length === 0;
  return Object.entries(written).every(([key, value]) => {
    const there = (current as Record<string, unknown>)[key];
    return merged.has(key) && typeof value === 'object' && value !== null
      ? holds(there, value as object)
      : isDeepStrictEqual(there, value);
  });
}
