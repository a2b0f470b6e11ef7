import { Button, Checkbox, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type AnswerOf, call } from '../../api/api.ts';
import { useRead, useRefresh } from '../../api/query.ts';
import { Block } from '../../kit/block.tsx';
import { pathSegments, readIssues } from '../../kit/refusal.ts';
import { ErrorState } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { InstallPlanView } from './install-plan.tsx';
import {
  freeName,
  readSettings,
  type SettingValues,
  type SourceType,
  shownSettings,
  writtenSettings,
} from './install-settings.ts';
import { SettingField } from './setting-field.tsx';

type Plan = AnswerOf<'planInstall'>['plan'];

/** The settings of a client, then what will be made of them, then the install itself. */
export function InstallForm({
  sourceType,
  onInstalled,
}: {
  sourceType: SourceType;
  onInstalled: (install: string, secret: string) => void;
}) {
  const settings = readSettings(sourceType);
  const installs = useRead('listInstalls').data?.installs ?? [];
  const refresh = useRefresh();
  const [values, setValues] = useState<SettingValues>({});
  const [name, setName] = useState<string>();
  const [minutes, setMinutes] = useState<number | string>(360);
  const [keep, setKeep] = useState<readonly string[]>([]);
  const [plan, setPlan] = useState<Plan>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const installationId =
    name ??
    freeName(
      sourceType.type,
      installs.map(({ id }) => id),
    );
  const shown = shownSettings(settings, values);
  const body = () => ({
    type: sourceType.type,
    installationId,
    settings: writtenSettings(settings, values),
    secrets: shown.flatMap((each) => (each.isSecret && values[each.name] === true ? [each.name] : [])),
    resyncMinutes: Number(minutes),
    keep: [...keep],
  });
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  const look = () => attempt(async () => setPlan((await call('planInstall', { body: body() })).plan));
  const install = () =>
    attempt(async () => {
      const made = await call('createInstall', { body: body() });
      await refresh(['listInstalls', 'listIntegrations', 'listBlueprints', 'listApps']);
      onInstalled(made.install.id, made.clientSecret);
    });
  const problemOf = (path: string): string | undefined =>
    readIssues(error).find((issue) => pathSegments(issue.path).join('/') === path)?.message;
  const change = (setting: string, value: unknown) => {
    setValues({ ...values, [setting]: value });
    setPlan(undefined);
  };
  return (
    <form
      aria-label={t('Install')}
      onSubmit={(event) => {
        event.preventDefault();
        void (plan ? install() : look());
      }}
    >
      <Stack gap="lg">
        <Block title={t('1. Settings')}>
          <Stack gap="md">
            <TextInput
              label={t('Name')}
              description={t('Small letters, digits and hyphens; it stays')}
              required
              withAsterisk={false}
              value={installationId}
              error={problemOf('installationId')}
              onChange={(event) => {
                setName(event.currentTarget.value);
                setPlan(undefined);
              }}
            />
            {shown.map((setting) => (
              <SettingField
                key={setting.name}
                setting={setting}
                value={values[setting.name]}
                error={problemOf(`settings/${setting.name}`)}
                onChange={(value) => change(setting.name, value)}
              />
            ))}
            <NumberInput
              label={t('Minutes between two resyncs')}
              description={t('0 reads once, in a pipeline or by hand')}
              min={0}
              max={10_080}
              allowDecimal={false}
              value={minutes}
              error={problemOf('resyncMinutes')}
              onChange={setMinutes}
            />
          </Stack>
        </Block>
        {plan && (
          <Block title={t('2. What will be made')}>
            <InstallPlanView plan={plan} />
            {plan.conflicts.map((conflict) => (
              <Checkbox
                key={conflict.name}
                mt="sm"
                label={t('Leave my {name} as it is', { name: conflict.name })}
                description={conflict.message}
                checked={keep.includes(conflict.name)}
                onChange={(event) =>
                  setKeep(
                    event.currentTarget.checked
                      ? [...keep, conflict.name]
                      : keep.filter((each) => each !== conflict.name),
                  )
                }
              />
            ))}
          </Block>
        )}
        {error !== undefined && <ErrorState error={error} what={t('Nothing was made')} />}
        <Group>
          <Button
            type="submit"
            loading={isBusy}
            disabled={plan?.conflicts.some((conflict) => !keep.includes(conflict.name)) ?? false}
          >
            {plan ? t('Prepare it and show the command') : t('Show what will be made')}
          </Button>
          {plan && (
            <Text size="sm" c="dimmed">
              {t('Makes this, and credentials for this client alone')}
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  );
}
