import { Input, Select } from '@mantine/core';
import { useState } from 'react';
import { CodeEditor } from '../../kit/code-editor.tsx';
import { t } from '../../kit/translate.ts';
import { formatChoices, type PropertyType, typeChoices } from '../../parts/property-kinds.ts';
import { ComputedForm, type ComputedFormProps } from './computed-form.tsx';

/** A calculation property: a jq expression, recomputed when the entity or its inputs change. */
export function CalculationForm({ initialKey, draft, taken, onClose, onDone }: ComputedFormProps) {
  const initial = initialKey === undefined ? undefined : draft.calculationProperties[initialKey];
  const [calculation, setCalculation] = useState(initial?.calculation ?? '');
  const [type, setType] = useState<PropertyType>(initial?.type ?? 'string');
  const [format, setFormat] = useState(typeof initial?.['format'] === 'string' ? initial['format'] : '');
  return (
    <ComputedForm
      initialKey={initialKey}
      initialTitle={initial?.title}
      taken={taken}
      what={t('calculation')}
      isReady={calculation.trim() !== ''}
      onClose={onClose}
      onDone={(key, title) => {
        const { title: old, format: before, ...rest } = { format: undefined, ...initial };
        onDone(key, { ...rest, ...title, type, ...(format ? { format } : {}), calculation });
      }}
    >
      <Input.Wrapper label={t('Expression')} description={t('jq over the entity, such as .properties.score * 100')}>
        <CodeEditor
          language="jq"
          label={t('Expression')}
          value={calculation}
          onChange={setCalculation}
          minHeight={96}
        />
      </Input.Wrapper>
      <Select
        label={t('Type of the result')}
        data={[...typeChoices]}
        value={type}
        allowDeselect={false}
        onChange={(value) => {
          setType(value as PropertyType);
          setFormat('');
        }}
      />
      {formatChoices(type).length > 0 && (
        <Select
          label={t('Format')}
          data={[{ value: '', label: t('Plain') }, ...formatChoices(type)]}
          value={format}
          allowDeselect={false}
          onChange={(value) => setFormat(value ?? '')}
        />
      )}
    </ComputedForm>
  );
}
