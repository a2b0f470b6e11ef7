import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Block } from '../../../kit/block.tsx';
import { exact } from '../../../kit/time.ts';
import { t } from '../../../kit/translate.ts';
import { type Setting, type SettingValues, shownSettings } from '../install-settings.ts';
import { SettingField } from '../setting-field.tsx';
import type { OwnSource } from './own-source.ts';
import { SecretField } from './secret-field.tsx';

interface FieldsProps {
  readonly settings: readonly Setting[];
  readonly values: SettingValues;
  /** The saved source, whose secrets are not asked for again. */
  readonly source: OwnSource | undefined;
  readonly problemOf: (path: string) => string | undefined;
  readonly onChange: (setting: string, value: unknown) => void;
  /** Shown first. */
  readonly children: ReactNode;
}

/** What a source cannot do without, then what may be said beside it. */
export function OwnSourceFields({ children, ...fields }: FieldsProps) {
  const shown = shownSettings(fields.settings, { ...fields.source?.settings, ...fields.values });
  const isNeeded = ({ isRequired, isSecret }: Setting): boolean => isRequired || isSecret;
  const others = shown.filter((setting) => !isNeeded(setting));
  return (
    <>
      <Block title={t('Connection')}>
        <Stack gap="md">
          {children}
          {shown.filter(isNeeded).map((setting) => (
            <Field key={setting.name} setting={setting} {...fields} />
          ))}
        </Stack>
      </Block>
      {others.length > 0 && (
        <Block title={t('What is read')}>
          <Stack gap="md">
            {others.map((setting) => (
              <Field key={setting.name} setting={setting} {...fields} />
            ))}
          </Stack>
        </Block>
      )}
    </>
  );
}

function Field({
  setting,
  values,
  source,
  problemOf,
  onChange,
}: { readonly setting: Setting } & Omit<FieldsProps, 'settings' | 'children'>) {
  const { name, isRequired, isSecret } = setting;
  if (!isSecret) {
    return (
      <SettingField
        setting={setting}
        value={values[name] ?? source?.settings[name]}
        error={problemOf(`settings/${name}`)}
        onChange={(value) => onChange(name, value)}
      />
    );
  }
  const kept = source?.secrets[name];
  return (
    <SecretField
      setting={setting}
      description={kept ? keptText(kept) : t('Encrypted, and never shown again')}
      isRequired={isRequired && !kept}
      value={values[name]}
      error={problemOf(`secrets/${name}`)}
      onChange={(value) => onChange(name, value)}
    />
  );
}

function keptText({ setAt, lastFour }: OwnSource['secrets'][string]): string {
  const ending = lastFour === '' ? '' : t(', ending in {lastFour}', { lastFour });
  return t('Set {exact}{ending}. Leave it empty to keep it.', { exact: exact(new Date(setAt)), ending });
}
