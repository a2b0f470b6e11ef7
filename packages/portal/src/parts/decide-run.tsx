import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { call, errorCode, errorStatus } from '../api/api.ts';
import { useChange, useRead, useRefresh } from '../api/query.ts';
import { useCommands } from '../frame/commands.tsx';
import { CodeEditor } from '../kit/code-editor.tsx';
import { ErrorState, TextSkeleton } from '../kit/states.tsx';
import { useToast } from '../kit/toasts.tsx';
import { t } from '../kit/translate.ts';
import { ActionForm, formTrigger } from './action-form.tsx';
import { decisionReads } from './decision-reads.ts';
import { approveVerb, type Effect } from './effect/effect-sentence.ts';
import { EffectView } from './effect/effect-view.tsx';
import { RunInputs } from './run-inputs.tsx';
import { type Run, thingIdentifier } from './run-things.ts';

/**
 * Approves or declines a pending run in place. For a draft run it sends the hash shown on the screen: if the inputs
 * have changed since, it shows the changes and decides nothing.
 */
export function DecideRun({ run }: { run: Run }) {
  const decision = useRead('getRunDecision', { params: { run_id: run.id } });
  const [isEditing, setEditing] = useState(false);
  if (decision.error) return <ErrorState error={decision.error} onRetry={() => void decision.refetch()} />;
  if (!decision.data) return <TextSkeleton />;
  const { mayDecide, obstacle, request, problems, effect } = decision.data.decision;
  if (!mayDecide) return obstacle ? <Text size="sm">{obstacle}</Text> : null;
  return (
    <section aria-label={t('Decision')}>
      <Stack gap="md">
        {effect && <EffectView effect={effect} />}
        {problems.length > 0 && (
          <Alert color="yellow" title={t('Part of the request cannot be worked out')}>
            {problems.map((problem) => (
              <div key={problem}>{problem}</div>
            ))}
          </Alert>
        )}
        {isEditing ? (
          <EditDraft run={run} onDone={() => setEditing(false)} />
        ) : (
          <DecisionBox key={run.id} run={run} obstacle={obstacle} effect={effect} onEdit={() => setEditing(true)} />
        )}
        {request && <RequestDetails request={request} />}
      </Stack>
    </section>
  );
}

/** What the backend gets, folded; the editor is loaded when it is opened. */
function RequestDetails({ request }: { request: object }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('Request details')}</summary>
      {isOpen && (
        <CodeEditor
          value={JSON.stringify(request, null, 2)}
          language="json"
          label={t('Request details')}
          maxHeight={280}
        />
      )}
    </details>
  );
}

function DecisionBox({
  run,
  obstacle,
  effect,
  onEdit,
}: {
  run: Run;
  obstacle: string | undefined;
  effect: Effect | undefined;
  onEdit: () => void;
}) {
  const toast = useToast();
  const refresh = useRefresh();
  const [words, setWords] = useState('');
  /** The version that the user has read and decides on, even if a newer one arrives. */
  const [read, setRead] = useState(run);
  const decide = useChange('decideRun', { staleAfter: [...decisionReads] });
  const isDraft = run.status === 'DRAFT';
  const hasChanged = isDraft && read.draft?.inputsHash !== run.draft?.inputsHash;
  // not in the callbacks of `mutate`: they are skipped once the refetched list unmounts this box
  const send = async (status: 'APPROVE' | 'DECLINE') => {
    try {
      await decide.mutateAsync({
        params: { run_id: run.id },
        body: {
          status,
          ...(words.trim() ? { description: words.trim() } : {}),
          ...(read.draft ? { inputsHash: read.draft.inputsHash } : {}),
        },
      });
      toast(status === 'APPROVE' ? t('Approved') : t('Rejected'));
    } catch (error) {
      // the mutation shows the error; on 409 someone else decided or edited first: refetch
      if (errorStatus(error as Error) === 409) void refresh(decisionReads);
    }
  };
  useCommands([
    {
      id: `approve ${run.id}`,
      label: t('Approve'),
      keys: 'mod+enter',
      run: () => void (words !== '' && send('APPROVE')),
    },
  ]);
  return (
    <Stack gap="sm">
      {hasChanged && (
        <Alert color="yellow" role="alert" title={t('The request changed since you read it')}>
          <Stack gap="xs" align="flex-start">
            <Changes before={read} after={run} />
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                setRead(run);
                decide.reset();
              }}
            >
              {t('Review the new version')}
            </Button>
          </Stack>
        </Alert>
      )}
      {obstacle && (
        <Alert color="yellow" title={t('This request can no longer be approved')}>
          {obstacle}
        </Alert>
      )}
      {decide.error && (
        <ErrorState
          error={decide.error}
          what={
            errorCode(decide.error) === 'run_ended'
              ? t('Somebody has decided already; nothing was changed')
              : t('Nothing was decided')
          }
        />
      )}
      <Textarea
        label={t('Comment (kept with the decision)')}
        autosize
        minRows={2}
        maxLength={5000}
        value={words}
        onChange={({ currentTarget }) => setWords(currentTarget.value)}
      />
      <Group gap="xs">
        <Button
          onClick={() => void send('APPROVE')}
          loading={decide.isPending}
          disabled={hasChanged || obstacle !== undefined}
          {...(effect?.certainty === 'exact' && effect.summary.verb === 'delete' ? { color: 'red' } : {})}
        >
          {approveVerb(effect, isDraft)}
        </Button>
        <Button variant="default" onClick={() => void send('DECLINE')} disabled={decide.isPending || hasChanged}>
          {t('Reject')}
        </Button>
        {isDraft && (
          <Button variant="subtle" color="gray" onClick={onEdit} disabled={decide.isPending}>
            {t('Change the inputs')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** The inputs that differ. */
function Changes({ before, after }: { before: Run; after: Run }) {
  const keys = [...new Set([...Object.keys(before.properties), ...Object.keys(after.properties)])].filter(
    (key) => JSON.stringify(before.properties[key]) !== JSON.stringify(after.properties[key]),
  );
  const entity = thingIdentifier(after.entity);
  return (
    <>
      {thingIdentifier(before.entity) !== entity && (
        <Text size="sm">{t('The request now acts on {entity}.', { entity: entity ?? t('nothing') })}</Text>
      )}
      {keys.length > 0 ? (
        <RunInputs values={Object.fromEntries(keys.map((key) => [key, after.properties[key] ?? null]))} />
      ) : (
        <Text size="sm">{t('The inputs are the same; the action or the requester changed.')}</Text>
      )}
    </>
  );
}

/** Edits the inputs of a draft run, which gets a new hash and a new decision. */
function EditDraft({ run, onDone }: { run: Run; onDone: () => void }) {
  const refresh = useRefresh();
  const toast = useToast();
  const identifier = thingIdentifier(run.action) ?? '';
  const action = useRead('getAction', { params: { action_identifier: identifier } });
  const trigger = formTrigger(action.data?.action.trigger);
  if (action.error) return <ErrorState error={action.error} onRetry={() => void action.refetch()} />;
  if (!trigger) return <TextSkeleton />;
  const secrets = new Set(
    Object.entries(trigger.userInputs.properties).flatMap(([key, { encryption }]) => (encryption ? [key] : [])),
  );
  const initial = Object.fromEntries(Object.entries(run.properties).filter(([key]) => !secrets.has(key)));
  const mustRetype = Object.keys(run.properties).some((key) => secrets.has(key));
  return (
    <Stack gap="sm">
      {mustRetype && <Text size="sm">{t('Secrets are not read back: type them again, or they are left out.')}</Text>}
      <ActionForm
        action={identifier}
        trigger={trigger}
        entity={thingIdentifier(run.entity)}
        initial={initial}
        verb={t('Save the inputs')}
        onCancel={onDone}
        onSend={async (properties) => {
          await call('editDraft', { params: { run_id: run.id }, body: { properties } });
          await refresh(decisionReads);
          toast(t('The draft was changed; decide on it as it is now'));
          onDone();
        }}
      />
    </Stack>
  );
}
