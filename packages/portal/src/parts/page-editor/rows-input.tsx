import { Select, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { t } from '../../kit/translate.ts';
import { ColumnChooser } from '../entities/column-chooser.tsx';
import type { Field } from '../entities/fields.ts';
import { FilterBuilder } from '../entities/filter-builder.tsx';
import { isQuery, noRules, type Query } from '../entities/operators.ts';
import { useFields } from '../entities/use-fields.ts';
import { configOfView, viewOfConfig } from '../entities/view-state.ts';
import { overBlueprints, toQuery, widgetMap, withinBlueprint } from '../widgets/widget-shape.ts';
import { blueprintOfForm, type InputProps, valueAt } from './form-fields.ts';

/** The entities and columns of a table widget. */
export function RowsInput(props: InputProps) {
  const blueprint = blueprintOfForm(props.widget);
  if (!blueprint) return null;
  return <BlueprintRows {...props} blueprint={blueprint} />;
}

function BlueprintRows({ field, widget, onAnswer, blueprint }: InputProps & { blueprint: string }) {
  const { fields } = useFields(blueprint);
  if (!fields) return null;
  if (field.kind === 'table')
    return <ColumnsInput {...{ field, widget, error: undefined, onAnswer, blueprint, fields }} />;
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0 }}>
      <Text component="legend" size="sm" fw={500} mb={4}>
        {field.label}
      </Text>
      <FilterBuilder
        query={innerQuery(valueAt(widget, field.key))}
        fields={fields}
        onChange={(query) => onAnswer(overBlueprints(query, blueprint))}
      />
    </fieldset>
  );
}

/** The user's rules: without the blueprint rule, and without an outer group that holds everything. */
function innerQuery(value: unknown): Query {
  const within = withinBlueprint(toQuery(value)) ?? noRules;
  const [only, ...others] = within.rules;
  return only && others.length === 0 && isQuery(only) ? only : within;
}

function ColumnsInput({
  widget,
  onAnswer,
  blueprint,
  fields,
}: InputProps & { blueprint: string; fields: readonly Field[] }) {
  const configs = widgetMap(widget, 'blueprintConfig');
  const view = useMemo(() => viewOfConfig(configs[blueprint], fields), [configs, blueprint, fields]);
  const change = (part: object) =>
    onAnswer({
      ...configs,
      [blueprint]: { ...widgetMap(configs, blueprint), ...configOfView({ ...view, ...part }, fields) },
    });
  const columns = fields.map(({ key, title }) => ({ value: key, label: title }));
  return (
    <Stack gap="sm">
      <Select
        label={t('Group by')}
        clearable
        clearButtonProps={{ 'aria-label': t('Clear the grouping') }}
        searchable
        data={columns}
        value={view.group ?? null}
        onChange={(group) => change({ group: group ?? undefined })}
      />
      <Select
        label={t('Sort by')}
        clearable
        clearButtonProps={{ 'aria-label': t('Clear the sorting') }}
        searchable
        data={columns}
        value={view.sort?.property ?? null}
        onChange={(property) => change({ sort: property ? { property, order: view.sort?.order ?? 'asc' } : undefined })}
      />
      {view.sort && (
        <Select
          label={t('Order')}
          allowDeselect={false}
          data={[
            { value: 'asc', label: t('Smallest first') },
            { value: 'desc', label: t('Largest first') },
          ]}
          value={view.sort.order}
          onChange={(order) => change({ sort: { property: view.sort?.property, order } })}
        />
      )}
      <details>
        <summary>{t('Columns')}</summary>
        <ColumnChooser
          fields={fields}
          columns={view.columns ?? []}
          onChange={(next) => change({ columns: next })}
          onReset={() => change({ columns: undefined })}
        />
      </details>
    </Stack>
  );
}
