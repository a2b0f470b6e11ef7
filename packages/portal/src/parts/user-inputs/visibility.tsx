import { NativeSelect } from '@mantine/core';
import type { JqQuery } from '@portolan/contract/action-inputs';
import { isRecord } from '@portolan/contract/json-value';
import { ChevronDown } from 'lucide-react';
import { t } from '../../kit/translate.ts';
import { JqField } from '../jq-field.tsx';

type Truth = boolean | JqQuery;

/** When an input is visible: always, never, or by an expression. Undefined means unspecified. */
export function Visibility({
  label,
  value,
  standard = true,
  error,
  onChange,
}: {
  label: string;
  value: Truth | null | undefined;
  /** The meaning of undefined. */
  standard?: boolean;
  error?: string | undefined;
  onChange: (value: Truth | undefined) => void;
}) {
  const isExpression = isRecord(value);
  const kind = isExpression ? 'jq' : String(value ?? standard);
  return (
    <>
      <NativeSelect
        label={label}
        data={[
          { value: 'true', label: t('Always') },
          { value: 'false', label: t('Never') },
          { value: 'jq', label: t('When an expression is true') },
        ]}
        value={kind}
        error={isExpression ? undefined : error}
        onChange={({ currentTarget: { value: next } }) => {
          if (next === 'jq') return onChange({ jqQuery: 'true' });
          onChange((next === 'true') === standard ? undefined : next === 'true');
        }}
        rightSection={<ChevronDown size={14} aria-hidden="true" />}
      />
      {isExpression && (
        <JqField
          label={t('{label} when', { label })}
          description={t('Over .form, .entity and .user')}
          placeholder='.form.kind == "paid"'
          value={value.jqQuery}
          error={error}
          onChange={(jqQuery) => onChange({ jqQuery })}
        />
      )}
    </>
  );
}
