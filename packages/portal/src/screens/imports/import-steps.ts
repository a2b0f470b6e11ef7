import type { Source } from '@portolan/contract/sources';
import type {
  Column,
  ColumnPlan,
  ColumnProfile,
  ImportQuery,
  Table,
  TableBlueprint,
  TableFile,
  TableResult,
} from '@portolan/tables';
import { t } from '../../kit/translate.ts';

/** A table that was read, with what is known of its columns. */
export interface OpenedTable {
  readonly file: TableFile;
  readonly table: Table;
  readonly profiles: readonly ColumnProfile[];
}

/** What a person decided about the columns. */
export interface ColumnChoice {
  readonly blueprint: TableBlueprint;
  /** The blueprint is made from the columns, and not there yet. */
  readonly isNew: boolean;
  readonly plan: ColumnPlan;
  readonly missingTargets: NonNullable<ImportQuery['missing_targets']>;
}

export interface AppliedImport {
  readonly result: TableResult;
  /** Keeps what the file brought, for undo and the next upload. */
  readonly source: Source;
}

export type Step =
  | { readonly kind: 'file' }
  | { readonly kind: 'columns'; readonly opened: OpenedTable; readonly choice?: ColumnChoice }
  | {
      readonly kind: 'plan';
      readonly opened: OpenedTable;
      readonly choice: ColumnChoice;
      readonly planned: TableResult;
    }
  | {
      readonly kind: 'result';
      readonly opened: OpenedTable;
      readonly choice: ColumnChoice;
      readonly applied: AppliedImport;
    };

export const stepNames: Readonly<Record<Step['kind'], string>> = {
  file: t('File'),
  columns: t('Columns'),
  plan: t('Plan'),
  result: t('Result'),
};

/** What a person still has to choose before the rows can be checked; undefined if nothing. */
export function findMissingChoice(
  { profiles }: OpenedTable,
  columns: readonly Column[],
  blueprint: TableBlueprint | undefined,
): string | undefined {
  if (!blueprint) return t('Choose what the rows are.');
  if (!columns.some(({ to }) => to === 'identifier' || to === 'title')) {
    return t('Choose the column with the identifier, or one with the title to make it from.');
  }
  const undecided = columns.find((column, index) => {
    const [, key] = /^properties\.(.+)$/s.exec(column.to ?? '') ?? [];
    const format = key === undefined ? undefined : blueprint.schema.properties[key]?.format;
    return format === 'date-time' && profiles[index]?.needsDateOrder && !column.dateOrder;
  });
  return (
    undecided &&
    t('Choose whether the dates of "{heading}" begin with the day or the month.', { heading: undecided.heading })
  );
}
