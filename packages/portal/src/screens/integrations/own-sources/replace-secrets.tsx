import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useChange, useRead } from '../../../api/query.ts';
import { useAttempt } from '../../../kit/attempt.ts';
import { t } from '../../../kit/translate.ts';
import { Needs } from '../../../parts/access/needs.tsx';
import { sourcePermit } from '../../../parts/access/permit.ts';
import { enteredSecrets, readSettings, type SettingValues } from '../install-settings.ts';
import { type OwnSource, readNow, sourceReads } from './own-source.ts';
import { SecretField } from './secret-field.tsx';

/** Replaces the secrets that the host refuses, and reads again. */
export function ReplaceSecrets({ source }: { source: OwnSource }) {
  const { identifier, type } = source;
  const sourceType = useRead('getSourceType', { params: { source_type: type } }).data?.sourceType;
  const patch = useChange('patchSource', { staleAfter: [...sourceReads] });
  const attempt = useAttempt();
  const [values, setValues] = useState<SettingValues>({});
  const settings = sourceType ? readSettings(sourceType).filter(({ isSecret }) => isSecret) : [];
  const secrets = enteredSecrets(settings, values);
  const replace = () =>
    attempt(async () => {
      await patch.mutateAsync({ params: { source_identifier: identifier }, body: { secrets } });
      await readNow(identifier);
    }, t('Replaced; it is read again'));
  return (
    <form
      aria-label={t('Replace the secrets')}
      onSubmit={(event) => {
        event.preventDefault();
        void replace();
      }}
    >
      <Stack gap="sm" maw={480}>
        {settings.map((setting) => (
          <SecretField
            key={setting.name}
            setting={setting}
            value={values[setting.name]}
            onChange={(value) => setValues({ ...values, [setting.name]: value })}
          />
        ))}
        <Needs
          permit={sourcePermit(source.allowed.write)}
          to={t('replace the secrets of {title}', { title: source.title })}
        >
          <Button
            type="submit"
            size="xs"
            w="fit-content"
            loading={patch.isPending}
            disabled={Object.keys(secrets).length === 0}
          >
            {t('Replace and read')}
          </Button>
        </Needs>
      </Stack>
    </form>
  );
}
