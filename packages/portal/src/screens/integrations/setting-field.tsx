import { Checkbox, NativeSelect, NumberInput, Switch, Textarea, TextInput } from '@mantine/core';
import { t } from '../../kit/translate.ts';
import { isTextList, type Setting } from './install-settings.ts';

/** One setting of a client. Of a secret one only says whether the client gets it; it is entered where the client runs. */
export function SettingField({
  setting,
  value,
  onChange,
  error,
}: {
  setting: Setting;
  value: unknown;
  onChange: (value: unknown) => void;
  error: string | undefined;
}) {
  const { title, description, type, isRequired, isSecret } = setting;
  const common = { label: title, description, error, required: isRequired, withAsterisk: false };
  if (isSecret) {
    return (
      <Checkbox
        label={title}
        description={t('A secret: you enter it where the client runs')}
        error={error}
        checked={isRequired || value === true}
        disabled={isRequired}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  }
  const initial = setting.default;
  if (setting.enum) {
    return (
      <NativeSelect
        {...common}
        data={[...(initial === undefined ? [''] : []), ...setting.enum]}
        value={String(value ?? initial ?? '')}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  if (type === 'boolean') {
    return (
      <Switch
        label={title}
        description={description}
        error={error}
        checked={(value ?? initial) === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  }
  if (type === 'integer') {
    return (
      <NumberInput
        {...common}
        value={(value ?? initial ?? '') as number | string}
        allowDecimal={false}
        onChange={onChange}
      />
    );
  }
  if (type === 'string') {
    return (
      <TextInput
        {...common}
        value={String(value ?? initial ?? '')}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  if (isTextList(setting)) {
    const lines = value ?? initial ?? [];
    return (
      <Textarea
        {...common}
        description={[t('One on each line.'), description].filter(Boolean).join(' ')}
        autosize
        minRows={2}
        value={Array.isArray(lines) ? lines.join('\n') : String(lines)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <Textarea
      {...common}
      description={description ?? (type === 'array' ? t('JSON: a list') : t('JSON: an object'))}
      autosize
      value={typeof value === 'string' ? value : JSON.stringify(value ?? initial ?? (type === 'array' ? [] : {}))}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
