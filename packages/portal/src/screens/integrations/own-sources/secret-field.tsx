import { Textarea } from '@mantine/core';
import { PasswordField } from '../../../kit/password-field.tsx';
import type { Setting } from '../install-settings.ts';
import classes from '../integrations.module.css';

/** A secret as it is entered, masked; a key of several lines keeps them. */
export function SecretField({
  setting: { title, format },
  value,
  onChange,
  description,
  error,
  isRequired = false,
}: {
  setting: Setting;
  value: unknown;
  onChange: (value: string) => void;
  description?: string;
  error?: string | undefined;
  isRequired?: boolean;
}) {
  const common = {
    label: title,
    description,
    error,
    required: isRequired,
    withAsterisk: false,
    autoComplete: 'off',
    value: String(value ?? ''),
  };
  if (format === 'multiline') {
    return (
      <Textarea
        {...common}
        classNames={{ input: classes.masked ?? '' }}
        rows={4}
        spellCheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return <PasswordField {...common} shows={title} onChange={(event) => onChange(event.currentTarget.value)} />;
}
