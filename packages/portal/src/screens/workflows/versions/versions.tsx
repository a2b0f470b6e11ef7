import { Button, Group, Select, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../../api/api.ts';
import { useRead, useRefresh } from '../../../api/query.ts';
import { useConfirm } from '../../../kit/confirm.tsx';
import { DiffView } from '../../../kit/diff-view.tsx';
import { RelativeTime } from '../../../kit/relative-time.tsx';
import { Reading } from '../../../kit/states.tsx';
import surfaces from '../../../kit/surfaces.module.css';
import { useToast } from '../../../kit/toasts.tsx';
import { t } from '../../../kit/translate.ts';
import { Needs } from '../../../parts/access/needs.tsx';
import { useMay } from '../../../parts/access/permit.ts';
import { ColourBadge, PersonBadge } from '../../../parts/badges.tsx';
import { download } from '../../../parts/entities/export-entities.ts';
import { type StoredWorkflow, toDefinition } from '../workflow-things.ts';
import { compareVersions } from './compare-versions.ts';

/** Every version of a workflow, what changed between two of them, and the way back to an earlier one. */
export function Versions({ workflow }: { workflow: StoredWorkflow }) {
  const { identifier, version: current } = workflow;
  const versions = useRead('listWorkflowVersions', { params: { identifier }, query: {} });
  const [shown, setShown] = useState<number>();
  return (
    <Reading of={versions}>
      {({ versions: all }) => (
        <>
          <ul className={surfaces.list} aria-label={t('Versions')}>
            {all.map(({ version, isCurrent, note, savedAt, savedBy }) => (
              <li key={version} className={surfaces.item}>
                <div>
                  <Group gap={6}>
                    <strong>{t('Version {version}', { version })}</strong>
                    {isCurrent && <ColourBadge colour="green">{t('Current')}</ColourBadge>}
                  </Group>
                  <Text size="sm" c="dimmed" component="div">
                    <Group gap={6}>
                      <PersonBadge email={savedBy} /> · <RelativeTime at={savedAt} />
                    </Group>
                  </Text>
                  {note && (
                    <Text size="sm" dir="auto">
                      {note}
                    </Text>
                  )}
                </div>
                <Group gap="xs">
                  <Button
                    size="xs"
                    variant="default"
                    aria-expanded={shown === version}
                    aria-label={t('What changed in version {version}', { version })}
                    onClick={() => setShown(shown === version ? undefined : version)}
                  >
                    {t('What changed')}
                  </Button>
                  <Download identifier={identifier} version={version} />
                  {!isCurrent && <Restore identifier={identifier} version={version} current={current} />}
                </Group>
                {shown === version && (
                  <Comparison
                    key={version}
                    identifier={identifier}
                    version={version}
                    others={all.map((each) => each.version).filter((each) => each !== version)}
                  />
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </Reading>
  );
}

/** The version as a file, which the API, the command line and the JSON of the builder take. */
function Download({ identifier, version }: { identifier: string; version: number }) {
  const toast = useToast();
  const save = async () => {
    try {
      const params = { identifier, version: String(version) };
      const { workflow } = await call('getWorkflowVersion', { params } as never);
      const text = `${JSON.stringify(toDefinition(workflow), null, 2)}\n`;
      download(`${identifier}-v${version}.json`, 'application/json', text);
    } catch (error) {
      toast({ text: (error as Error).message, kind: 'failure' });
    }
  };
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={t('Download version {version}', { version })}
      onClick={() => void save()}
    >
      {t('Download')}
    </Button>
  );
}

function Restore({ identifier, version, current }: { identifier: string; version: number; current: number }) {
  const confirm = useConfirm();
  const refresh = useRefresh();
  const toast = useToast();
  const mayChange = useMay('replaceWorkflow');
  const [isBusy, setBusy] = useState(false);
  const restore = async () => {
    const isSure = await confirm({
      title: t('Restore version {version}', { version }),
      consequence: t('This version is saved again as a new one. Runs in progress go on with theirs.'),
      verb: t('Restore'),
      isDangerous: false,
      operation: 'replaceWorkflow',
    });
    if (!isSure) return;
    setBusy(true);
    try {
      const { workflow } = await call('getWorkflowVersion', {
        params: { identifier, version: String(version) },
      } as never);
      await call('replaceWorkflow', {
        params: { identifier },
        query: { expectedVersion: String(current), note: t('Version {version} restored', { version }) },
        body: { ...toDefinition(workflow), identifier },
      } as never);
      await refresh(['getWorkflow', 'listWorkflows', 'listWorkflowVersions', 'listSelfServiceTriggers']);
      toast(t('Version {version} restored', { version }));
    } catch (error) {
      toast({ text: (error as Error).message, kind: 'failure' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Needs permit={mayChange} to={t('restore a version')}>
      <Button
        size="xs"
        variant="default"
        loading={isBusy}
        aria-label={t('Restore version {version}', { version })}
        onClick={() => void restore()}
      >
        {t('Restore')}
      </Button>
    </Needs>
  );
}

function Comparison({
  identifier,
  version,
  others,
}: {
  identifier: string;
  version: number;
  others: readonly number[];
}) {
  const [other, setOther] = useState(others.find((each) => each < version) ?? others[0]);
  const read = (wanted: number) => ({ params: { identifier, version: String(wanted) } }) as never;
  const after = useRead('getWorkflowVersion', read(version));
  const before = useRead('getWorkflowVersion', read(other ?? 0), { isOn: other !== undefined });
  if (other === undefined) return <Text size="sm">{t('This is the first version.')}</Text>;
  return (
    <div style={{ flexBasis: '100%', minWidth: 0 }}>
      <Select
        label={t('Compared with')}
        maw={240}
        allowDeselect={false}
        data={others.map((each) => ({ value: String(each), label: t('Version {version}', { version: each }) }))}
        value={String(other)}
        onChange={(next) => setOther(Number(next))}
      />
      <Reading of={before}>
        {(earlier) => (
          <Reading of={after}>
            {(later) => <Changes before={toDefinition(earlier.workflow)} after={toDefinition(later.workflow)} />}
          </Reading>
        )}
      </Reading>
    </div>
  );
}

/** What differs between two definitions, step by step and as text. */
export function Changes({ before, after }: Parameters<typeof compareVersions>[0]) {
  const changes = compareVersions({ before, after });
  return (
    <>
      <Title order={3} fz="sm" mt="md">
        {t('Steps')}
      </Title>
      {changes.length === 0 ? (
        <Text size="sm">{t('The steps are the same.')}</Text>
      ) : (
        <ul>
          {changes.map(({ key, text, kind }) => (
            <li key={key}>
              <ColourBadge colour={{ added: 'green', removed: 'red', changed: 'blue', moved: 'purple' }[kind]}>
                {{ added: t('Added'), removed: t('Removed'), changed: t('Changed'), moved: t('Leads elsewhere') }[kind]}
              </ColourBadge>{' '}
              <span dir="auto">{text}</span>
            </li>
          ))}
        </ul>
      )}
      <Title order={3} fz="sm" mt="md">
        {t('Text')}
      </Title>
      <DiffView before={before} after={after} />
    </>
  );
}
