import { Select, Stack, Table } from '@mantine/core';
import {
  type Column,
  type ColumnProfile,
  findTarget,
  listTargets,
  previewColumn,
  type Table as ReadTable,
  type TableBlueprint,
  type ValuePreview,
} from '@portolan/tables';
import { t } from '../../kit/translate.ts';
import { JqField } from '../../parts/jq-field.tsx';
import classes from './imports.module.css';

const ownTargets: Readonly<Record<string, string>> = {
  identifier: 'Identifier',
  title: t('Title'),
  icon: 'Icon',
  team: t('Owning teams'),
};

/** One column: three of its values, where it leads, and what becomes of the values. */
export function ColumnRow({
  table,
  column,
  profile,
  blueprint,
  onChange,
}: {
  table: ReadTable;
  column: Column;
  profile: ColumnProfile | undefined;
  blueprint: TableBlueprint;
  onChange: (column: Column) => void;
}) {
  const previews = previewsOf(table, column, blueprint);
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes.value} dir="auto">
        {column.heading}
      </Table.Th>
      <Table.Td className={classes.value}>
        {previews.length === 0 && t('Empty')}
        {previews.map(({ text }) => (
          <div key={text} dir="auto">
            {shortened(text)}
          </div>
        ))}
      </Table.Td>
      <Table.Td>
        <Stack gap={4}>
          <Select
            aria-label={t('What becomes of {heading}', { heading: column.heading })}
            placeholder={t('Left out')}
            clearable
            searchable
            clearButtonProps={{ 'aria-label': t('Leave out {heading}', { heading: column.heading }) }}
            data={listTargets(blueprint).map((path) => ({ value: path, label: labelOf(path, blueprint) }))}
            value={column.to}
            onChange={(to) => onChange({ ...column, to })}
          />
          {column.to !== null && (
            <ReadingChoices column={column} profile={profile} blueprint={blueprint} onChange={onChange} />
          )}
        </Stack>
      </Table.Td>
      <Table.Td className={classes.value}>
        {column.to === null
          ? '–'
          : previews.map(({ text, value, problem }) => (
              <div key={text} dir="auto" className={problem ? classes.problem : undefined}>
                {problem ?? (value === undefined ? '–' : shortened(value))}
              </div>
            ))}
      </Table.Td>
    </Table.Tr>
  );
}

/** How the cells are read: the order of a date, the separator of a list, an expression. */
function ReadingChoices({
  column,
  profile,
  blueprint,
  onChange,
}: {
  column: Column;
  profile: ColumnProfile | undefined;
  blueprint: TableBlueprint;
  onChange: (column: Column) => void;
}) {
  const target = findTarget(column.to ?? '', blueprint);
  const property = target?.kind === 'property' ? target.property : undefined;
  const isList =
    property?.type === 'array' || target?.kind === 'team' || (target?.kind === 'relation' && target.relation.many);
  const { jq = '', separator = '', dateOrder } = column;
  return (
    <>
      {property?.format === 'date-time' && profile?.needsDateOrder && (
        <Select
          label={t('Dates begin with')}
          size="xs"
          data={[
            { value: 'dmy', label: 'the day' },
            { value: 'mdy', label: 'the month' },
          ]}
          value={dateOrder ?? null}
          allowDeselect={false}
          onChange={(order) => onChange({ ...column, dateOrder: order === 'dmy' ? 'dmy' : 'mdy' })}
        />
      )}
      {isList && (
        <Select
          label={t('Values are separated by')}
          size="xs"
          data={[
            { value: '', label: t('what each cell has') },
            { value: ',', label: 'commas' },
            { value: ';', label: 'semicolons' },
            { value: '|', label: 'bars' },
            { value: '\n', label: 'line breaks' },
          ]}
          value={separator}
          allowDeselect={false}
          onChange={(next) => onChange(withText(column, 'separator', next ?? ''))}
        />
      )}
      <details>
        <summary>{t('Expression')}</summary>
        <JqField
          label={t('JQ for {heading}', { heading: column.heading })}
          isLabelHidden
          placeholder=".value | ascii_downcase"
          value={jq}
          onChange={(next) => onChange(withText(column, 'jq', next))}
        />
      </details>
    </>
  );
}

function withText(column: Column, name: 'jq' | 'separator', text: string): Column {
  const { [name]: _, ...rest } = column;
  return text === '' ? rest : { ...rest, [name]: text };
}

function previewsOf(table: ReadTable, column: Column, blueprint: TableBlueprint): readonly ValuePreview[] {
  try {
    return previewColumn(table, column, blueprint);
  } catch (error) {
    return [{ text: column.heading, problem: (error as Error).message }];
  }
}

function labelOf(path: string, blueprint: TableBlueprint): string {
  const target = findTarget(path, blueprint);
  if (target?.kind === 'property') return target.property.title ?? target.key;
  if (target?.kind === 'relation') return `${target.relation.title ?? target.key} (${target.relation.target})`;
  return ownTargets[path] ?? path;
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
