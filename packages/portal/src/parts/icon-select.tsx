import { Select } from '@mantine/core';
import { t } from '../kit/translate.ts';
import { EntityIcon, iconNames } from './entity-icon.tsx';

/** Chooses an icon name; an unknown name stays chosen. */
export function IconSelect({
  value,
  error,
  onChange,
}: {
  value: string | null | undefined;
  error?: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  return (
    <Select
      label={t('Icon')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('Clear the icon') }}
      leftSection={<EntityIcon name={value} />}
      data={[...new Set([...iconNames, ...(value ? [value] : [])])]}
      value={value ?? null}
      error={error}
      onChange={(icon) => onChange(icon ?? undefined)}
    />
  );
}
