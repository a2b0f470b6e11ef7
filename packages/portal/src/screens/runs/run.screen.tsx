import { Anchor, Button, Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { errorStatus } from '../../api/api.ts';
import { useChange, useRead } from '../../api/query.ts';
import { useCommands } from '../../frame/commands.tsx';
import { ButtonLink } from '../../frame/links.tsx';
import { useParam } from '../../frame/url-state.ts';
import { Block } from '../../kit/block.tsx';
import { CodeEditor } from '../../kit/code-editor.tsx';
import { CopyValue } from '../../kit/copy-value.tsx';
import { safeLink } from '../../kit/safe-link.ts';
import { ErrorState, Reading, TextSkeleton } from '../../kit/states.tsx';
import { duration, exact } from '../../kit/time.ts';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { Needs } from '../../parts/access/needs.tsx';
import { formTrigger } from '../../parts/action-form.tsx';
import { useMayRun } from '../../parts/actions/may-run.ts';
import { CallOrigins } from '../../parts/ai/call-origins.tsx';
import { approversInWords } from '../../parts/approvers-in-words.ts';
import { PersonBadge, StatusBadge } from '../../parts/badges.tsx';
import { DecideRun } from '../../parts/decide-run.tsx';
import { EntityAnchor } from '../../parts/entity-anchor.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RunInputs } from '../../parts/run-inputs.tsx';
import { formAddress, isOver, type Run, runAddress, thingIdentifier, thingTitle } from '../../parts/run-things.ts';
import { RunLog } from './run-log.tsx';
import classes from './runs.module.css';

/** How often a run is read: the less often, the longer it has not changed. */
function paceMs(run: Run | undefined): number {
  if (!run) return 1500;
  if (isOver(run)) return 0;
  if (isWaiting(run)) return 5000;
  return Math.min(15_000, Math.max(1500, (Date.now() - Date.parse(run.updatedAt)) / 10));
}

const isWaiting = ({ status }: Run): boolean => status === 'DRAFT' || status === 'WAITING_FOR_APPROVAL';

/** A run: status, log, inputs, changes and approvals. */
export function Screen() {
  const id = useParam('run');
  const read = useRead(
    'getRun',
    { params: { run_id: id }, query: { version: 'v2' } },
    { everyMs: (answer) => paceMs(answer?.run) },
  );
  return (
    <Reading of={read} isScreen skeleton={<TextSkeleton lines={12} />}>
      {(answer) => <RunScreen key={id} run={answer.run} />}
    </Reading>
  );
}

function RunScreen({ run }: { run: Run }) {
  const action = thingIdentifier(run.action) ?? '';
  const definition = useRead('getAction', { params: { action_identifier: action } });
  const trigger = formTrigger(definition.data?.action.trigger);
  const waits = isWaiting(run);
  const hasInputs = Object.keys(run.properties).length > 0;
  return (
    <>
      <PageHeader
        trail={[{ to: '/runs', label: t('Runs') }]}
        title={thingTitle(run.action) ?? run.id}
        icon={definition.data?.action.icon ?? ''}
        description={
          <Group gap={8}>
            <span role="status">
              <StatusBadge status={run.status} label={run.statusLabel} />
            </span>
            {run.summary && <span dir="auto">{run.summary}</span>}
            <code>{run.id}</code>
            <CopyValue value={run.id} what={t('the id of the run')} />
          </Group>
        }
        actions={<Again run={run} form={trigger?.userInputs} />}
      />
      <div className={classes.layout}>
        <div className={classes.main}>
          {waits && (
            <Block title={run.status === 'DRAFT' ? t('Draft') : t('Approval')}>
              {run.draft && (
                <Text size="sm" mb="sm">
                  {run.draft.reason && <span dir="auto">{run.draft.reason} · </span>}
                  {t('Nothing runs until somebody approves. The draft expires {exact}.', {
                    exact: exact(new Date(run.draft.expiresAt)),
                  })}
                </Text>
              )}
              <DecideRun run={run} />
              <Approvers run={run} />
            </Block>
          )}
          <RunLog run={run} />
          <Affected run={run} />
          {hasInputs && !definition.isPending && (
            <Block title={t('Inputs')}>
              <RunInputs values={run.properties} form={trigger?.userInputs} />
              <CallOrigins run={run} />
            </Block>
          )}
          {run.payload && (
            <Block title={t('What was sent')}>
              <CodeEditor
                value={JSON.stringify(run.payload, null, 2)}
                language="json"
                label={t('What was sent')}
                maxHeight={320}
              />
            </Block>
          )}
          {run.response && run.response.length > 0 && (
            <Block title={t('Response')}>
              <CodeEditor
                value={JSON.stringify(run.response, null, 2)}
                language="json"
                label={t('Response')}
                maxHeight={320}
              />
            </Block>
          )}
        </div>
        <div className={classes.side}>
          <Facts run={run} />
          {!waits && (run.approval || run.draft) && (
            <Block title={t('Approval')}>
              <Approvers run={run} />
            </Block>
          )}
          <Links run={run} />
        </div>
      </div>
    </>
  );
}

/** Runs the action again with the same inputs, or opens its form prefilled with them. */
function Again({ run, form }: { run: Run; form: Parameters<typeof RunInputs>[0]['form'] }) {
  const navigate = useNavigate();
  const toast = useToast();
  const rerun = useChange('rerunRun', { staleAfter: ['listRuns'] });
  const action = thingIdentifier(run.action) ?? '';
  const shown = Object.entries(run.properties).filter(([key]) => !form?.properties[key]?.encryption);
  const entity = thingIdentifier(run.entity);
  const canRepeat = isOver(run) && form !== undefined;
  const mayRun = useMayRun(action, { properties: Object.fromEntries(shown), entity }, canRepeat);
  const again = () =>
    rerun.mutate(
      { params: { run_id: run.id }, query: { version: 'v2' } },
      {
        onSuccess: (answer) => void navigate(runAddress(answer.run.id)),
        onError: (error) => toast({ text: error.message, kind: 'failure' }),
      },
    );
  useCommands([
    {
      id: 'copy run id',
      label: t('Copy the id of the run'),
      keys: 'y',
      run: () => void navigator.clipboard?.writeText(run.id),
    },
  ]);
  if (!canRepeat) return null;
  return (
    <>
      <ButtonLink {...formAddress(action, Object.fromEntries(shown), entity)} variant="default">
        {t('Edit and run again')}
      </ButtonLink>
      <Needs permit={mayRun} to={t('run {action}', { action: thingTitle(run.action) ?? action })}>
        <Button variant="default" onClick={again} loading={rerun.isPending}>
          {t('Run again')}
        </Button>
      </Needs>
    </>
  );
}

const sources: Readonly<Record<string, string>> = { UI: t('Portal'), API: 'API', AUTOMATION: t('Automation') };

/** Times and requester. */
function Facts({ run }: { run: Run }) {
  const [now, setNow] = useState(Date.now());
  const over = isOver(run);
  useEffect(() => {
    if (over) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [over]);
  const [entity, blueprint] = [thingIdentifier(run.entity), thingIdentifier(run.blueprint)];
  const began = Date.parse(run.createdAt);
  return (
    <Block title={t('Timeline')}>
      <ol className={classes.timeline}>
        <li>
          <Text size="sm" c="dimmed">
            {t('Requested')}
          </Text>
          <div>{exact(new Date(run.createdAt))}</div>
          <PersonBadge email={run.createdBy} />
          <Text size="sm" c="dimmed">
            {t('over {sources}', { sources: sources[run.source] ?? run.source })}
            {run.impersonatedBy && t(', by {impersonatedBy} on their behalf', { impersonatedBy: run.impersonatedBy })}
          </Text>
        </li>
        {run.authority && (
          <li>
            <Text size="sm" c="dimmed">
              {t('Runs with the rights of')}
            </Text>
            <PersonBadge email={run.authority.by} />
            <Text size="sm" c="dimmed">
              {t('who saved this action last')}
              {run.authority.scopes &&
                t(', with a token for {scopes}', { scopes: run.authority.scopes.join(', ') || t('nothing') })}
            </Text>
          </li>
        )}
        {entity && blueprint && (
          <li>
            <Text size="sm" c="dimmed">
              {t('Acts on')}
            </Text>
            <EntityAnchor blueprint={blueprint} identifier={entity} title={thingTitle(run.entity)} />
          </li>
        )}
        <li>
          <Text size="sm" c="dimmed">
            {over ? t('Ended') : t('Elapsed')}
          </Text>
          {run.endedAt && <div>{exact(new Date(run.endedAt))}</div>}
          <div>{duration(Math.max(0, (run.endedAt ? Date.parse(run.endedAt) : now) - began))}</div>
        </li>
      </ol>
    </Block>
  );
}

const words: Readonly<Record<string, string>> = { APPROVED: 'approved', DECLINED: 'declined', PENDING: 'may approve' };

/** Who approved or declined, and who may. */
function Approvers({ run }: { run: Run }) {
  const approvers = useRead('listApprovers', {
    params: { run_id: run.id },
    query: { include_pending_approvers: true },
  });
  return (
    <Reading of={approvers}>
      {({ approvers: all }) => (
        <>
          {run.status === 'WAITING_FOR_APPROVAL' && (
            <Text size="sm" mt="sm" mb="xs">
              {approversInWords(run.requiredApproval.type, all.length)}
            </Text>
          )}
          <ul className={classes.list}>
            {all.map(({ userId, state, description }) => (
              <li key={`${userId} ${state}`}>
                <div className={classes.line}>
                  <PersonBadge email={userId} /> {words[state] ?? state}
                </div>
                {description && (
                  <Text size="sm" c="dimmed" dir="auto">
                    {description}
                  </Text>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </Reading>
  );
}

const done: Readonly<Record<string, string>> = { CREATE: 'created', UPDATE: 'changed', DELETE: 'deleted' };

/** Entities that the run wrote, as far as the user may see them. */
function Affected({ run }: { run: Run }) {
  const affected = useRead(
    'listAffectedEntities',
    { params: { run_id: run.id } },
    isOver(run) ? {} : { everyMs: 5000 },
  );
  const refetch = affected.refetch;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the last look is taken when the status changes
  useEffect(() => void refetch(), [run.status, refetch]);
  if (errorStatus(affected.error) === 403) return null;
  if (affected.error) return <ErrorState error={affected.error} onRetry={() => void affected.refetch()} />;
  const entities = affected.data?.entities ?? [];
  if (entities.length === 0) return null;
  return (
    <Block title={t('Affected entities ({count})', { count: entities.length })}>
      <ul className={classes.list}>
        {entities.map(({ blueprint, identifier, action }) => (
          <li key={`${blueprint} ${identifier}`} className={classes.line}>
            {action === 'DELETE' ? (
              <code>{identifier}</code>
            ) : (
              <EntityAnchor blueprint={blueprint} identifier={identifier} />
            )}
            <Text size="sm" c="dimmed" span>
              {blueprint} · {done[action] ?? action.toLowerCase()}
            </Text>
          </li>
        ))}
      </ul>
    </Block>
  );
}

/** Links that the backend reported. An unsafe URL stays plain text. */
function Links({ run }: { run: Run }) {
  if (run.link.length === 0 && !run.externalRunId) return null;
  return (
    <Block title={t('Links')}>
      <ul className={classes.list}>
        {run.link.map((link) => {
          const address = safeLink(link);
          return (
            <li key={link}>
              {address ? (
                <Anchor href={address} target="_blank" rel="noreferrer noopener">
                  {link}
                </Anchor>
              ) : (
                link
              )}
            </li>
          );
        })}
        {run.externalRunId && <li>{t('External run: {externalRunId}.', { externalRunId: run.externalRunId })}</li>}
      </ul>
    </Block>
  );
}
