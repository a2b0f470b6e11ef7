import { Input, Select } from '@mantine/core';
import { isRecord } from '@portolan/contract/json-value';
import { useState } from 'react';
import { CodeEditor } from '../../kit/code-editor.tsx';
import { t } from '../../kit/translate.ts';
import { ComputedForm, type ComputedFormProps } from './computed-form.tsx';

const functions = [
  { value: 'entities count', label: t('How many there are') },
  { value: 'entities average', label: t('How many there are on average over time') },
  { value: 'property sum', label: t('Sum of a property') },
  { value: 'property average', label: t('Average of a property') },
  { value: 'property min', label: t('Smallest value of a property') },
  { value: 'property max', label: t('Largest value of a property') },
  { value: 'property median', label: t('Median of a property') },
];

/** An aggregation property over the related entities of another blueprint. */
export function AggregationForm({ initialKey, draft, blueprints, taken, onClose, onDone }: ComputedFormProps) {
  const initial = initialKey === undefined ? undefined : draft.aggregationProperties[initialKey];
  const spec = initial?.calculationSpec;
  const [target, setTarget] = useState(initial?.target ?? '');
  const [chosen, setChosen] = useState(spec ? `${spec.calculationBy} ${spec.func}` : 'entities count');
  const [property, setProperty] = useState(String(spec?.['property'] ?? ''));
  const [period, setPeriod] = useState(String(spec?.['averageOf'] ?? 'day'));
  const [query, setQuery] = useState(initial?.query ? JSON.stringify(initial.query, null, 2) : '');
  const [calculationBy = 'entities', func = 'count'] = chosen.split(' ');
  const isOfProperty = calculationBy === 'property';
  const targetBlueprint = blueprints.find(({ identifier }) => identifier === target);
  const numbers = [
    ...Object.entries(targetBlueprint?.schema.properties ?? {}),
    ...Object.entries(targetBlueprint?.calculationProperties ?? {}),
  ].filter(([, { type }]) => type === 'number');
  const problem = queryProblem(query);
  const isReady = target !== '' && (!isOfProperty || property !== '') && problem === undefined;
  return (
    <ComputedForm
      initialKey={initialKey}
      initialTitle={initial?.title}
      taken={taken}
      what={t('aggregation')}
      isReady={isReady}
      onClose={onClose}
      onDone={(key, title) => {
        const { title: old, query: before, calculationSpec, ...rest } = initial ?? {};
        onDone(key, {
          ...rest,
          ...title,
          target,
          type: 'number',
          calculationSpec: {
            ...calculationSpecRest(calculationSpec),
            calculationBy,
            func,
            ...(isOfProperty ? { property } : {}),
            ...(func === 'average' ? { averageOf: period } : {}),
          },
          ...(query.trim() === '' ? {} : { query: JSON.parse(query) }),
        });
      }}
    >
      <Select
        label={t('Over the entities of')}
        searchable
        data={blueprints.map(({ identifier, title }) => ({ value: identifier, label: `${title} (${identifier})` }))}
        value={target || null}
        onChange={(value) => setTarget(value ?? '')}
      />
      <Select
        label={t('Figure')}
        data={functions}
        value={chosen}
        allowDeselect={false}
        onChange={(value) => setChosen(value ?? 'entities count')}
      />
      {isOfProperty && (
        <Select
          label={t('Property')}
          description={target !== '' && numbers.length === 0 ? t('This blueprint has no number property') : undefined}
          data={numbers.map(([value, { title }]) => ({ value, label: title ?? value }))}
          value={property || null}
          onChange={(value) => setProperty(value ?? '')}
        />
      )}
      {func === 'average' && (
        <Select
          label={t('Per')}
          data={isOfProperty ? ['hour', 'day', 'week', 'month', 'total'] : ['hour', 'day', 'week', 'month']}
          value={period}
          allowDeselect={false}
          onChange={(value) => setPeriod(value ?? 'day')}
        />
      )}
      <Input.Wrapper
        label={t('Only entities that match')}
        description={t('A query as JSON; empty for all')}
        error={problem}
      >
        <CodeEditor language="json" label={t('Query')} value={query} onChange={setQuery} minHeight={80} />
      </Input.Wrapper>
    </ComputedForm>
  );
}

/** Keys of a specification that the form does not edit. */
function calculationSpecRest(spec: Record<string, unknown> | undefined): Record<string, unknown> {
  const { calculationBy, func, property, averageOf, ...rest } = spec ?? {};
  return rest;
}

function queryProblem(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  try {
    return isRecord(JSON.parse(text)) ? undefined : t('must be an object with "combinator" and "rules"');
  } catch (error) {
    return (error as Error).message;
  }
}
