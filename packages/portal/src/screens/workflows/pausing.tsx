import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useChange } from '../../api/query.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { NeedsOperation } from '../../parts/access/needs.tsx';
import { PersonBadge } from '../../parts/badges.tsx';

export type TriggerState = AnswerOf<'getWorkflow'>['triggers'][number];
type Pause = NonNullable<TriggerState['paused']>;

const staleAfter = ['listWorkflows', 'getWorkflow'] as const;

/** Pauses the triggers of a workflow, of all where none is named, and resumes them. */
export function PauseButton({
  workflow,
  triggers = [],
  paused,
}: {
  workflow?: { readonly identifier: string; readonly name: string };
  triggers?: readonly TriggerState[];
  /** What is paused here; a wider pause ends elsewhere. */
  paused: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const toast = useToast();
  const resumeOne = useChange('resumeWorkflow', { staleAfter: [...staleAfter] });
  const resumeAll = useChange('resumeWorkflows', { staleAfter: [...staleAfter] });
  const done = {
    onSuccess: () => toast(t('The triggers are resumed')),
    onError: (error: Error) => toast({ text: error.message, kind: 'failure' }),
  };
  const resume = () =>
    workflow
      ? resumeOne.mutate({ params: { identifier: workflow.identifier }, body: {} }, done)
      : resumeAll.mutate({ body: {} }, done);
  const label = workflow ? t('Pause triggers') : t('Pause all triggers');
  return (
    <>
      {paused ? (
        <NeedsOperation operation={workflow ? 'resumeWorkflow' : 'resumeWorkflows'} to={t('resume triggers')}>
          <Button variant="default" loading={resumeOne.isPending || resumeAll.isPending} onClick={resume}>
            {workflow ? t('Resume triggers') : t('Resume all triggers')}
          </Button>
        </NeedsOperation>
      ) : (
        <NeedsOperation operation={workflow ? 'pauseWorkflow' : 'pauseWorkflows'} to={t('pause triggers')}>
          <Button variant="default" onClick={() => setOpen(true)}>
            {label}
          </Button>
        </NeedsOperation>
      )}
      {isOpen && <PauseDialog title={label} workflow={workflow} triggers={triggers} onClose={() => setOpen(false)} />}
    </>
  );
}

function PauseDialog({
  title,
  workflow,
  triggers,
  onClose,
}: {
  title: string;
  workflow: { readonly identifier: string } | undefined;
  triggers: readonly TriggerState[];
  onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  const [node, setNode] = useState<string | null>(null);
  const toast = useToast();
  const one = useChange('pauseWorkflow', { staleAfter: [...staleAfter] });
  const all = useChange('pauseWorkflows', { staleAfter: [...staleAfter] });
  const why = reason.trim() === '' ? {} : { reason: reason.trim() };
  const done = {
    onSuccess: () => {
      toast(t('Nothing starts by these triggers now'));
      onClose();
    },
    onError: (error: Error) => toast({ text: error.message, kind: 'failure' }),
  };
  const pause = () =>
    workflow
      ? one.mutate(
          {
            params: { identifier: workflow.identifier },
            body: { ...why, ...(node === null ? {} : { nodeIdentifier: node }) },
          },
          done,
        )
      : all.mutate({ body: why }, done);
  return (
    <Dialog opened onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          pause();
        }}
      >
        <Stack gap="md">
          <Text size="sm">
            {t('Runs in progress go on. Events and times that come meanwhile are not made up for.')}
          </Text>
          {workflow && triggers.length > 1 && (
            <Select
              label={t('Trigger')}
              placeholder={t('All triggers')}
              clearable
              clearButtonProps={{ 'aria-label': t('All triggers') }}
              data={triggers.map(({ nodeIdentifier }) => nodeIdentifier)}
              value={node}
              onChange={setNode}
            />
          )}
          <TextInput
            label={t('Reason')}
            description={t('Shown to anyone who wants to start it')}
            data-autofocus
            maxLength={500}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={one.isPending || all.isPending}>
              {t('Pause')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Since when nothing starts, by whom and why. */
export function PauseLine({ pause, node }: { pause: Pause; node?: string }) {
  const what = {
    trigger: t('The trigger {node} is paused', { node: node ?? '' }),
    workflow: t('The workflow is paused'),
    organization: t('All workflows are paused'),
  }[pause.scope];
  return (
    <Text size="sm" component="div" role="status">
      <Group gap={6}>
        {what} · <RelativeTime at={pause.since} /> · <PersonBadge email={pause.by} />
        {pause.reason && <span dir="auto">· {pause.reason}</span>}
      </Group>
    </Text>
  );
}

/** When a schedule starts a run next. */
export function NextTick({ triggers }: { triggers: readonly TriggerState[] }) {
  const next = triggers.flatMap(({ nextRunAt }) => nextRunAt ?? []).sort()[0];
  if (next === undefined) return null;
  return (
    <span>
      {t('Next run')} <RelativeTime at={next} />
    </span>
  );
}

/** The pauses of a workflow, each told once. */
export function Pauses({ triggers }: { triggers: readonly TriggerState[] }) {
  const paused = triggers.flatMap(({ nodeIdentifier, paused: pause }) => (pause ? [{ nodeIdentifier, pause }] : []));
  const wide = paused.find(({ pause }) => pause.scope !== 'trigger');
  if (wide) return <PauseLine pause={wide.pause} />;
  return paused.map(({ nodeIdentifier, pause }) => (
    <PauseLine key={nodeIdentifier} pause={pause} node={nodeIdentifier} />
  ));
}
