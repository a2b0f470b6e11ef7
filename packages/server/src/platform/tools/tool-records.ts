import { isRecord } from '@portolan/contract/json-value';

/** A thing in a tool's result that an answer may rest on. `value` is the object itself, within the result. */
export interface ToolRecord {
  /** `figures`: the numbers of the whole call. */
  readonly kind: 'entity' | 'person' | 'team' | 'figures' | 'document';
  readonly value: Record<string, unknown>;
}

/** The records in a result, in its order. Must not throw, whatever the result is. */
export type RecordsOf = (result: unknown) => readonly ToolRecord[];

/** The result's figures, and the objects under these keys: one, or a list of them. */
export function recordsUnder(
  kinds: Readonly<Record<string, Exclude<ToolRecord['kind'], 'figures'>>>,
  { hasFigures = true }: { readonly hasFigures?: boolean } = {},
): RecordsOf {
  return (result) => {
    if (!isRecord(result)) return [];
    const records = Object.entries(kinds).flatMap(([key, kind]) =>
      [result[key]]
        .flat()
        .filter(isRecord)
        .map((value): ToolRecord => ({ kind, value })),
    );
    return hasFigures ? [{ kind: 'figures', value: result }, ...records] : records;
  };
}
