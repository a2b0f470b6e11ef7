import { MultiSelect, Select } from '@mantine/core';
import { t } from '../../kit/translate.ts';
import type { Field } from '../../parts/entities/fields.ts';
import { FilterValue } from '../../parts/entities/filter-value.tsx';
import { operators, presetNames } from '../../parts/entities/operators.ts';
import { useTeams } from '../../parts/entities/team-form.ts';
import { rangeChoices } from './conditions.ts';

interface Props {
  readonly field: Field;
  readonly operator: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** The input for the value of a condition. Conditions of scorecards know no caller and fewer ranges than searches. */
export function ConditionValue({ field, operator, value, onChange }: Props) {
  if (operators[operator]?.value === 'range') return <Range field={field} value={value} onChange={onChange} />;
  if (field.key === '$team') return <Teams field={field} value={value} onChange={onChange} />;
  return <FilterValue field={field} operator={operator} value={value} onChange={onChange} />;
}

function Teams({ field, value, onChange }: Omit<Props, 'operator'>) {
  const { teams, ruleForm } = useTeams();
  const known = teams.map((team) => ({ value: ruleForm(team), label: team.name }));
  const data = known.filter((each, index) => known.findIndex((other) => other.value === each.value) === index);
  return (
    <MultiSelect
      aria-label={t('Value of {title}', { title: field.title })}
      data={data}
      searchable
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={onChange}
    />
  );
}

function Range({ field, value, onChange }: Omit<Props, 'operator'>) {
  const { preset, from, to } = (value ?? {}) as { preset?: string; from?: string; to?: string };
  const written = from && to ? [{ value: 'written', label: `${from.slice(0, 10)} – ${to.slice(0, 10)}` }] : [];
  const unlisted =
    preset && !rangeChoices.some((each) => each.value === preset)
      ? [{ value: preset, label: presetNames[preset] ?? preset }]
      : [];
  return (
    <Select
      aria-label={t('Value of {title}', { title: field.title })}
      placeholder={t('Choose a period')}
      data={[...written, ...unlisted, ...rangeChoices]}
      value={written.length > 0 ? 'written' : (preset ?? null)}
      allowDeselect={false}
      onChange={(chosen) => {
        if (chosen && chosen !== 'written') onChange({ preset: chosen });
      }}
    />
  );
}
