import { missingTargets } from '@portolan/contract/imports';
import {
  type Column,
  encodings,
  findTarget,
  type ReadOptions,
  type TableBlueprint,
  targetPath,
} from '@portolan/tables';
import { usageError } from '../cli-error.ts';
import type { Arguments, Command } from '../command.ts';

export const tableOptions: Command['options'] = {
  blueprint: { type: 'string', placeholder: 'id', description: 'table: what its rows are' },
  'new-blueprint': {
    type: 'string',
    placeholder: 'title',
    description: 'table: make a blueprint from its columns first',
  },
  map: {
    type: 'string',
    placeholder: 'column=target',
    isRepeatable: true,
    description: 'table: where a column leads, such as "Cost=properties.cost"; "Cost=" leaves it out (again for more)',
  },
  jq: {
    type: 'string',
    placeholder: 'column=expression',
    isRepeatable: true,
    description: 'table: JQ over {value, row} in place of the cells of a column (again for more)',
  },
  dates: { type: 'string', placeholder: 'dmy|mdy', description: 'table: how dates like 04/05/2026 are read' },
  source: { type: 'string', placeholder: 'id', description: 'table: keep it as a source, for undo and later uploads' },
  'missing-targets': {
    type: 'string',
    placeholder: 'refuse|create|omit',
    description: 'table: what becomes of relations to entities that are not there (refuse)',
  },
  'clear-empty': { type: 'boolean', description: 'table: empty cells clear what the entity has' },
  refused: { type: 'string', placeholder: 'file', description: 'table: write the refused rows there, as CSV' },
  delimiter: {
    type: 'string',
    placeholder: 'character',
    description: 'table: between cells, where the guess is wrong',
  },
  encoding: { type: 'string', placeholder: 'name', description: `table: ${encodings.join(', ')}` },
  sheet: {
    type: 'string',
    placeholder: 'name',
    description: 'table: the sheet of a workbook, else the first with rows',
  },
  list: { type: 'string', placeholder: 'a.b', description: 'table: keys that lead to the list in a JSON file' },
};

/** Whether the call imports a table rather than a file of records. */
export function isTableCall(input: Arguments): boolean {
  const [name = ''] = input.words;
  return (
    /\.(csv|tsv|txt|json|xlsx)$/i.test(name) ||
    input.text('blueprint') !== undefined ||
    input.text('new-blueprint') !== undefined
  );
}

export function readOptions(input: Arguments): Partial<ReadOptions> {
  const encoding = oneOf(input, 'encoding', encodings);
  const delimiter = input.text('delimiter')?.replace('\\t', '\t');
  const list = input.text('list');
  const sheet = input.text('sheet');
  if (delimiter !== undefined && delimiter.length !== 1) throw usageError('--delimiter is one character, such as ";".');
  return {
    ...(encoding ? { encoding } : {}),
    ...(delimiter ? { delimiter } : {}),
    ...(sheet ? { sheet } : {}),
    ...(list ? { format: 'json', path: list.split('.') } : {}),
  };
}

export function readMissingTargets(input: Arguments): (typeof missingTargets)[number] {
  return oneOf(input, 'missing-targets', missingTargets) ?? 'refuse';
}

/** The guessed columns with what the options say of them. @throws CliError for a column or target that is not there */
export function applyColumnOptions(
  guessed: readonly Column[],
  blueprint: TableBlueprint,
  input: Arguments,
): readonly Column[] {
  const dateOrder = oneOf(input, 'dates', ['dmy', 'mdy'] as const);
  let columns = guessed.map((column) => (dateOrder ? { ...column, dateOrder } : column));
  for (const option of input.list('map')) {
    const { heading, value } = splitAtColumn('map', option, columns);
    const target = value === '' ? undefined : findTarget(value, blueprint);
    if (value !== '' && !target) {
      const names = [...Object.keys(blueprint.schema.properties), ...Object.keys(blueprint.relations ?? {})];
      const known = ['identifier', 'title', 'icon', 'team', ...names].join(', ');
      throw usageError(`${blueprint.identifier} has no "${value}". A column may lead to ${known}.`);
    }
    const to = target ? targetPath(target) : null;
    columns = columns.map((column) => {
      if (column.heading === heading) return { ...column, to };
      // what is named wins over what was guessed
      return to !== null && column.to === to ? { ...column, to: null } : column;
    });
  }
  for (const option of input.list('jq')) {
    const { heading, value } = splitAtColumn('jq', option, columns);
    columns = columns.map((column) => (column.heading === heading ? { ...column, jq: value } : column));
  }
  return columns;
}

/** Splits `column=value` at the longest heading, since headings may have a `=` too. */
function splitAtColumn(name: string, option: string, columns: readonly Column[]) {
  const headings = columns.map(({ heading }) => heading).toSorted((left, right) => right.length - left.length);
  const heading = headings.find((each) => option.startsWith(`${each}=`));
  if (heading !== undefined) return { heading, value: option.slice(heading.length + 1).trim() };
  throw usageError(`--${name} "${option}" names no column of the table. It has ${headings.toReversed().join(', ')}.`);
}

function oneOf<Value extends string>(input: Arguments, name: string, values: readonly Value[]): Value | undefined {
  const given = input.text(name);
  const value = values.find((each) => each === given);
  if (given !== undefined && value === undefined) throw usageError(`--${name} is one of ${values.join(', ')}.`);
  return value;
}
