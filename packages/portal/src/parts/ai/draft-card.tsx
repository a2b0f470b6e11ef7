import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import type { InvocationEvents } from '@portolan/contract/invocation-stream';
import { FilePen } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { StatusBadge } from '../badges.tsx';
import { EntityAnchor } from '../entity-anchor.tsx';
import classes from './ai.module.css';
import { CallOrigins } from './call-origins.tsx';
import { DraftForm } from './draft-form.tsx';
import { changedKeys, type DraftField, type DraftInputs, listDraftFields, shownValue } from './draft-inputs.ts';
import { useDraft } from './use-draft.ts';

/** A draft run that the assistant proposes: its exact inputs, the approval, and its outcome. */
export function DraftCard({ request }: { request: InvocationEvents['approval_request'] }) {
  const draft = useDraft(request);
  const [isEditing, setEditing] = useState(false);
  const [comment, setComment] = useState('');
  const action = useRead('getAction', { params: { action_identifier: request.action } });
  const { run, shown, changed } = draft;
  const title = action.data?.action.title ?? request.action;
  const fields = listDraftFields(action.data?.action.trigger, shown.properties);
  const blueprint = typeof run?.blueprint === 'string' ? run.blueprint : run?.blueprint?.identifier;
  const isOpen = run?.status === 'DRAFT';
  const missing = (run?.draft as { missing?: readonly string[] } | undefined)?.missing ?? [];
  return (
    <section className={classes.draft} aria-label={t('Draft: {title}', { title })}>
      <header className={classes.draftHead}>
        <FilePen size={16} aria-hidden="true" />
        <strong dir="auto">{title}</strong>
        {run && <StatusBadge status={run.status} label={run.statusLabel} />}
      </header>
      {shown.entity !== null && (
        <Text size="sm" component="div">
          {t('On')}{' '}
          {blueprint ? (
            <EntityAnchor blueprint={blueprint} identifier={shown.entity} />
          ) : (
            <strong dir="auto">{shown.entity}</strong>
          )}
        </Text>
      )}
      {isEditing ? (
        <DraftForm
          fields={fields}
          properties={shown.properties}
          isBusy={draft.isBusy}
          onCancel={() => setEditing(false)}
          onSave={async (properties) => {
            if (await draft.edit(properties)) setEditing(false);
          }}
        />
      ) : (
        <Inputs fields={fields} inputs={shown} />
      )}
      {isOpen && run.draft?.reason && (
        <Text size="sm" dir="auto">
          {run.draft.reason}
        </Text>
      )}
      {run && <CallOrigins run={run} />}
      {missing.length > 0 && isOpen && (
        <Text size="sm">{t('Edit it first: a person has to fill in {missing}.', { missing: missing.join(', ') })}</Text>
      )}
      {changed && (
        <Alert color="yellow" title={t('The inputs were changed meanwhile')} role="alert">
          <Text size="sm" mb="xs">
            {t('Above is the version you saw; this is the current one. Decide on the current version.')}
          </Text>
          <Inputs
            fields={listDraftFields(action.data?.action.trigger, changed.properties)}
            inputs={changed}
            before={shown}
          />
          <Button size="xs" mt="xs" variant="default" onClick={draft.takeChanged}>
            {t('Use the current inputs')}
          </Button>
        </Alert>
      )}
      {draft.error && !changed && <ErrorState error={draft.error} what={t('Nothing was changed')} />}
      {draft.query.error && !run && <ErrorState error={draft.query.error} onRetry={() => void draft.query.refetch()} />}
      {isOpen && !isEditing && !changed && (
        <>
          <TextInput
            size="xs"
            label={t('Comment')}
            placeholder={t('Kept with the decision')}
            value={comment}
            onChange={({ currentTarget }) => setComment(currentTarget.value)}
            maxLength={5000}
          />
          <Group gap="xs">
            <Button
              size="xs"
              onClick={() => draft.decide('APPROVE', comment)}
              loading={draft.isBusy}
              disabled={missing.length > 0}
            >
              {t('Approve and run')}
            </Button>
            <Button size="xs" variant="default" onClick={() => setEditing(true)} disabled={draft.isBusy}>
              {t('Edit')}
            </Button>
            <Button
              size="xs"
              variant="subtle"
              color="red"
              onClick={() => draft.decide('DECLINE', comment)}
              disabled={draft.isBusy}
            >
              {t('Decline')}
            </Button>
          </Group>
          <Text size="xs" c="dimmed">
            <Sentence
              text="Nothing runs before somebody approves. Expires <time/>."
              parts={{ time: <RelativeTime at={run.draft?.expiresAt ?? request.expiresAt} /> }}
            />
          </Text>
        </>
      )}
      {run && !isOpen && <Outcome run={run} />}
    </section>
  );
}

function Inputs({
  fields,
  inputs,
  before,
}: {
  fields: readonly DraftField[];
  inputs: DraftInputs;
  before?: DraftInputs;
}) {
  const shown = fields.filter(({ key, isRequired }) => isRequired || inputs.properties[key] !== undefined);
  const changed = before ? changedKeys(before, inputs) : new Set<string>();
  if (shown.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('This action takes no inputs.')}
      </Text>
    );
  }
  return (
    <dl className={classes.inputs}>
      {shown.map(({ key, title }) => (
        <div key={key}>
          <dt dir="auto">{title}</dt>
          <dd dir="auto">
            {shownValue(inputs.properties[key])}
            {changed.has(key) && (
              <em className={classes.note}>
                {' '}
                {t('was {shownValue}', { shownValue: shownValue(before?.properties[key]) })}
              </em>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Outcome({ run }: { run: NonNullable<ReturnType<typeof useDraft>['run']> }) {
  const isDone = run.status === 'SUCCESS';
  const affected = useRead('listAffectedEntities', { params: { run_id: run.id } }, { isOn: isDone });
  const words: Readonly<Record<string, string>> = {
    WAITING_FOR_APPROVAL: t('The draft was approved. The action itself asks for one more approval.'),
    IN_PROGRESS: t('Approved and running.'),
    SUCCESS: t('Succeeded.'),
    FAILURE: t('Ran and failed.'),
    DECLINED: t('Declined or expired. Nothing ran.'),
  };
  const entities = affected.data?.entities ?? [];
  return (
    <div role="status">
      <Text size="sm">{run.summary || words[run.status]}</Text>
      {entities.length > 0 && (
        <ul className={classes.affected}>
          {entities.map(({ blueprint, identifier }) => (
            <li key={`${blueprint} ${identifier}`}>
              <EntityAnchor blueprint={blueprint} identifier={identifier} />{' '}
              <span className={classes.note}>{blueprint}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
