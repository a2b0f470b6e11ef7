import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type AnswerOf, call } from '../../../api/api.ts';
import { useRefresh } from '../../../api/query.ts';
import { useAttempt } from '../../../kit/attempt.ts';
import { pathSegments, readIssues } from '../../../kit/refusal.ts';
import { ErrorState } from '../../../kit/states.tsx';
import { t } from '../../../kit/translate.ts';
import {
  enteredSecrets,
  readSettings,
  type SettingValues,
  type SourceType,
  touchedSettings,
} from '../install-settings.ts';
import { type OwnSource, readNow, sourceReads } from './own-source.ts';
import { OwnSourceFields } from './own-source-fields.tsx';
import { SourceChecks } from './source-checks.tsx';

/** Connection and settings of a source that Portolan reads itself: tried, then saved and read. */
export function OwnSourceForm({
  sourceType,
  source,
  onSaved,
}: {
  sourceType: SourceType;
  /** The one to change; without it, a new one is made. */
  source?: OwnSource;
  onSaved: (identifier: string) => void;
}) {
  const settings = readSettings(sourceType);
  const [title, setTitle] = useState(source?.title ?? sourceType.title);
  const [values, setValues] = useState<SettingValues>({});
  const [checked, setChecked] = useState<AnswerOf<'checkSource'>>();
  const [error, setError] = useState<unknown>();
  const [busyWith, setBusyWith] = useState<'check' | 'save'>();
  const refresh = useRefresh();
  const attempt = useAttempt();
  const body = () => ({ settings: touchedSettings(settings, values), secrets: enteredSecrets(settings, values) });

  const run = async (what: 'check' | 'save', work: () => Promise<void>): Promise<void> => {
    setBusyWith(what);
    setError(undefined);
    try {
      await work();
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusyWith(undefined);
    }
  };
  const check = () =>
    run('check', async () => {
      const saved = source ? { source: source.identifier } : {};
      setChecked(await call('checkSource', { body: { type: sourceType.type, ...body(), ...saved } }));
    });
  const save = () =>
    run('save', async () => {
      const { identifier } = source
        ? await change(source.identifier, { title, ...body() })
        : (await call('createSource', { body: { type: sourceType.type, title, ...body() } })).source;
      // saved already: a refusal to read it is told on its page
      if (!source || source.problem) await attempt(() => readNow(identifier));
      // blueprints that were missing are made, with a page each
      await refresh([...sourceReads, 'listBlueprints', 'listPages', 'getSidebar']);
      onSaved(identifier);
    });
  const problemOf = (path: string): string | undefined =>
    readIssues(error).find((issue) => pathSegments(issue.path).join('/') === path)?.message;
  return (
    <form
      aria-label={source ? t('Settings') : t('New source')}
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        const { submitter } = event.nativeEvent as SubmitEvent;
        void (submitter?.getAttribute('value') === 'check' ? check() : save());
      }}
    >
      <Stack gap="lg">
        <OwnSourceFields
          settings={settings}
          values={values}
          source={source}
          problemOf={problemOf}
          onChange={(setting, value) => {
            setValues({ ...values, [setting]: value });
            setChecked(undefined);
          }}
        >
          <TextInput
            label={t('Name')}
            required
            withAsterisk={false}
            maxLength={100}
            value={title}
            error={problemOf('title')}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
        </OwnSourceFields>
        {checked && <SourceChecks checked={checked} />}
        {error !== undefined && (
          <ErrorState error={error} what={checked ? t('The changes were not saved') : t('That did not go through')} />
        )}
        <Group>
          <Button type="submit" value="save" loading={busyWith === 'save'} disabled={busyWith === 'check'}>
            {source ? t('Save') : t('Save and read')}
          </Button>
          <Button
            type="submit"
            value="check"
            variant="default"
            loading={busyWith === 'check'}
            disabled={busyWith === 'save'}
          >
            {t('Check')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

async function change(identifier: string, body: object) {
  return (await call('patchSource', { params: { source_identifier: identifier }, body })).source;
}
