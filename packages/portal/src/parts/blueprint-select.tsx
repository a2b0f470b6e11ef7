import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '../api/query.ts';
import { t } from '../kit/translate.ts';

export function BlueprintSelect({
  label,
  description,
  value,
  error,
  isClearable = false,
  onChange,
}: {
  label: string;
  description?: ReactNode;
  value: string;
  error?: string | undefined;
  isClearable?: boolean;
  onChange: (value: string) => void;
}) {
  const reading = useRead('listBlueprints');
  const found = (reading.data?.blueprints ?? []).map(({ identifier, title }) => ({
    value: identifier,
    label: `${title} (${identifier})`,
  }));
  return (
    <Select
      label={label}
      description={description}
      placeholder={t('Choose a blueprint')}
      searchable
      allowDeselect={false}
      clearable={isClearable}
      clearButtonProps={{ 'aria-label': t('Empty {label}', { label }) }}
      data={withUnknown(found, value)}
      value={value || null}
      error={error}
      onChange={(next) => onChange(next ?? '')}
    />
  );
}

/** Keeps a chosen value as an option if it was deleted or is not loaded yet. */
export function withUnknown(data: readonly { value: string; label: string }[], value: string) {
  if (value === '' || data.some((each) => each.value === value)) return [...data];
  return [...data, { value, label: value }];
}
