import { ActionIcon, Select, Stack, Text } from '@mantine/core';
import { X } from 'lucide-react';
import { useState } from 'react';
import { CodeEditor } from '../../kit/code-editor.tsx';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import { t } from '../../kit/translate.ts';
import { JqField } from '../../parts/jq-field.tsx';
import type { Blueprint, Draft } from './blueprint-draft.ts';
import classes from './data-model.module.css';
import { fieldChoices, type Mapping, type MappingRow, mappingRows, readMapping, withRows } from './mapping.ts';

/** The fields that a migration writes, one by one or as JSON. */
export function MappingEditor({
  source,
  blueprints,
  mapping,
  onChange,
  onProblem,
}: {
  source: Blueprint;
  blueprints: readonly Blueprint[];
  mapping: Mapping;
  onChange: (mapping: Mapping) => void;
  onProblem: (problem: string | undefined) => void;
}) {
  const [view, setView] = useState<'form' | 'json'>('form');
  const [text, setText] = useState('');
  const result = readMapping(text);
  const show = (next: 'form' | 'json') => {
    if (next === 'json') setText(JSON.stringify(mapping, null, 2));
    else onProblem(undefined);
    setView(next);
  };
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={t('Mapping as')}
        value={view}
        onChange={(value) => show(value as 'form' | 'json')}
        data={[
          { value: 'form', label: t('Fields') },
          { value: 'json', label: 'JSON' },
        ]}
      />
      {view === 'form' ? (
        <MappingFields source={source} blueprints={blueprints} mapping={mapping} onChange={onChange} />
      ) : (
        <>
          <CodeEditor
            language="json"
            label={t('Mapping as JSON')}
            value={text}
            minHeight={180}
            onChange={(typed) => {
              setText(typed);
              const read = readMapping(typed);
              if ('problem' in read) return onProblem(read.problem);
              onProblem(undefined);
              onChange(read.mapping);
            }}
          />
          {'problem' in result && <span className={classes.problem}>{result.problem}</span>}
        </>
      )}
    </Stack>
  );
}

function MappingFields({
  source,
  blueprints,
  mapping,
  onChange,
}: {
  source: Blueprint;
  blueprints: readonly Blueprint[];
  mapping: Mapping;
  onChange: (mapping: Mapping) => void;
}) {
  const rows = mappingRows(mapping);
  const target: Draft = blueprints.find(({ identifier }) => identifier === mapping.blueprint) ?? source;
  const choices = fieldChoices(target);
  const used = new Set(rows.map(({ field }) => field));
  const put = (field: string, row: MappingRow | undefined) =>
    onChange(
      withRows(
        mapping,
        rows.flatMap((each) => (each.field === field ? (row ? [row] : []) : [each])),
      ),
    );
  const optional = (name: 'filter' | 'itemsToParse' | 'blueprint', value: string) => {
    const { [name]: before, ...rest } = mapping;
    onChange((value === '' ? rest : { ...rest, [name]: value }) as Mapping);
  };
  return (
    <Stack gap="md">
      <Select
        label={t('Into the blueprint')}
        searchable
        maw={420}
        allowDeselect={false}
        data={blueprints.map(({ identifier, title }) => ({ value: identifier, label: `${title} (${identifier})` }))}
        value={mapping.blueprint ?? source.identifier}
        onChange={(value) => optional('blueprint', value === source.identifier ? '' : (value ?? ''))}
      />
      <JqField
        label={t('Only entities for which this is true')}
        placeholder={t('all of them')}
        value={mapping.filter ?? ''}
        onChange={(value) => optional('filter', value)}
      />
      <Stack gap="xs" role="group" aria-label={t('Fields that are written')}>
        <Text size="sm" fw={500}>
          {t('Fields that are written')}
        </Text>
        {rows.map(({ field, expression }) => {
          const title = choices.find(({ value }) => value === field)?.label ?? field;
          return (
            <div key={field} className={classes.mapping}>
              <Text pt={6} dir="auto">
                {title}
              </Text>
              <JqField
                label={t('Expression for {title}', { title })}
                isLabelHidden
                placeholder=".properties.name"
                value={expression}
                onChange={(value) => put(field, { field, expression: value })}
              />
              <ActionIcon
                size="lg"
                aria-label={t('Do not write {title}', { title })}
                onClick={() => put(field, undefined)}
              >
                <X size={16} />
              </ActionIcon>
            </div>
          );
        })}
        <Select
          aria-label={t('Add a field')}
          placeholder={t('Add a field')}
          searchable
          maw={420}
          data={choices.filter(({ value }) => !used.has(value))}
          value={null}
          onChange={(field) => field && onChange(withRows(mapping, [...rows, { field, expression: '' }]))}
        />
      </Stack>
    </Stack>
  );
}
