import { Select } from '@mantine/core';
import classes from './filter-select.module.css';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** A filter of a list with one choice or none; `any` is how clearing it is called. */
export function FilterSelect({
  label,
  any,
  data,
  value,
  onChange,
}: {
  label: string;
  any: string;
  data: readonly Choice[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  return (
    <Select
      className={classes.filter ?? ''}
      aria-label={label}
      placeholder={label}
      data={[...data]}
      value={value ?? null}
      searchable={data.length > 8}
      clearable
      clearButtonProps={{ 'aria-label': any }}
      onChange={(next) => onChange(next ?? undefined)}
    />
  );
}
