import { Button, Tabs, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useRead } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { AnchorLink, ButtonLink } from '../../frame/links.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { EmptyState, Reading, TextSkeleton } from '../../kit/states.tsx';
import { exact } from '../../kit/time.ts';
import { t } from '../../kit/translate.ts';
import { CallOrigins } from '../../parts/ai/call-origins.tsx';
import { PersonBadge, StatusBadge } from '../../parts/badges.tsx';
import { DecideRun } from '../../parts/decide-run.tsx';
import { effectsMost, RunEffect } from '../../parts/effect/run-effect.tsx';
import { EntityAnchor } from '../../parts/entity-anchor.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RunInputs } from '../../parts/run-inputs.tsx';
import { type Run, runAddress, thingIdentifier, thingTitle } from '../../parts/run-things.ts';
import { WaitingForm } from '../../parts/workflows/waiting-forms.tsx';
import { WaitingDraft } from '../../parts/workflows/workflow-draft.tsx';
import classes from './approvals.module.css';

const everyMs = 20_000;

/** Pending approvals, and the user's own requests. */
export function Screen() {
  const { user } = useSession();
  const [tab, setTab] = useUrlState('/approvals', 'tab');
  const shown = tab === 'asked' ? 'asked' : 'mine';
  const asked = { version: 'v2', limit: 100 } as const;
  const mine = useRead('listRuns', { query: { ...asked, decidable: true } }, { everyMs });
  const waiting = useRead(
    'listRuns',
    { query: { ...asked, status: 'WAITING_FOR_APPROVAL', user_email: user?.email ?? '' } },
    { everyMs, isOn: user !== null },
  );
  const drafts = useRead(
    'listRuns',
    { query: { ...asked, status: 'DRAFT', user_email: user?.email ?? '' } },
    {
      everyMs,
      isOn: user !== null,
    },
  );
  const forms =
    useRead('listWorkflowRuns', { query: { waiting_for_me: true, limit: 50 } }, { everyMs }).data?.runs ?? [];
  const workflowDrafts =
    useRead('listWorkflowDrafts', { query: { waiting_for_me: true } }, { everyMs }).data?.drafts ?? [];
  return (
    <>
      <PageHeader title={t('Approvals')} description={t('Requests that need a decision before they run.')} />
      <Tabs value={shown} onChange={(value) => setTab(value === 'asked' ? 'asked' : undefined)}>
        <Tabs.List mb="md">
          <Tabs.Tab value="mine">
            {t('Waiting for me{word}', {
              word: mine.data ? ` (${mine.data.runs.length + forms.length + workflowDrafts.length})` : '',
            })}
          </Tabs.Tab>
          {user && <Tabs.Tab value="asked">{t('My requests')}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="mine">
          <Reading of={mine} skeleton={<TextSkeleton lines={8} />}>
            {({ runs }) =>
              runs.length === 0 && forms.length + workflowDrafts.length > 0 ? null : (
                <Waiting runs={runs as Run[]} empty={t('Nothing is waiting for you')} canDecide />
              )
            }
          </Reading>
          <WaitingSection id="workflow-drafts" title={t('Workflows that assistants want to start')}>
            {workflowDrafts.map((draft) => (
              <WaitingDraft
                key={draft.identifier}
                draft={draft}
                className={classes.item}
                headClassName={classes.head}
              />
            ))}
          </WaitingSection>
          <WaitingSection id="waiting-forms" title={t('Questions of workflows')}>
            {forms.map((run) => (
              <WaitingForm key={run.identifier} run={run} className={classes.item} headClassName={classes.head} />
            ))}
          </WaitingSection>
        </Tabs.Panel>
        {user && (
          <Tabs.Panel value="asked">
            <Reading of={waiting}>
              {({ runs }) => (
                <Waiting
                  runs={[...((drafts.data?.runs ?? []) as Run[]), ...(runs as Run[])]}
                  empty={t('None of your requests is waiting')}
                />
              )}
            </Reading>
          </Tabs.Panel>
        )}
      </Tabs>
    </>
  );
}

/** A list with a heading; nothing without items. */
function WaitingSection({ id, title, children }: { id: string; title: string; children: readonly ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h3" mt="md" mb="xs" id={id}>
        {title}
      </Title>
      <ul className={classes.list}>{children}</ul>
    </section>
  );
}

function Waiting({ runs, empty, canDecide = false }: { runs: readonly Run[]; empty: string; canDecide?: boolean }) {
  if (runs.length === 0) {
    return (
      <EmptyState
        title={empty}
        action={
          <ButtonLink to="/runs" variant="default" size="xs">
            {t('See all runs')}
          </ButtonLink>
        }
      >
        {t('Requests that need an approval appear here as soon as somebody makes one.')}
      </EmptyState>
    );
  }
  return (
    <ul className={classes.list}>
      {runs.map((run, index) => (
        <WaitingRun key={run.id} run={run} canDecide={canDecide} tellsEffect={canDecide && index < effectsMost} />
      ))}
    </ul>
  );
}

function WaitingRun({ run, canDecide, tellsEffect }: { run: Run; canDecide: boolean; tellsEffect: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const [entity, blueprint] = [thingIdentifier(run.entity), thingIdentifier(run.blueprint)];
  const title = thingTitle(run.action) ?? run.id;
  return (
    <li className={classes.item}>
      <div className={classes.head}>
        <div className={classes.text}>
          <AnchorLink {...runAddress(run.id)} fw={550} c="var(--text)">
            {title}
          </AnchorLink>
          <div className={classes.facts}>
            <StatusBadge status={run.status} label={run.statusLabel} />
            {entity && blueprint && <EntityAnchor blueprint={blueprint} identifier={entity} />}
            <PersonBadge email={run.createdBy} />
            <Text size="sm" c="dimmed" span>
              <RelativeTime at={run.createdAt} />
              {run.draft && ` ${t('· expires {exact}', { exact: exact(new Date(run.draft.expiresAt)) })}`}
            </Text>
          </div>
          {tellsEffect && !isOpen && <RunEffect run={run.id} />}
        </div>
        {canDecide && (
          <Button
            variant="default"
            size="xs"
            aria-expanded={isOpen}
            aria-label={`${isOpen ? t('Close') : t('Review')} ${title}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? t('Close') : t('Review')}
          </Button>
        )}
      </div>
      {isOpen && <Review id={run.id} />}
    </li>
  );
}

/** Reads the run again instead of showing the list's copy: the user must approve exactly what is shown. */
function Review({ id }: { id: string }) {
  const read = useRead('getRun', { params: { run_id: id }, query: { version: 'v2' } }, { everyMs: 5000 });
  return (
    <div className={classes.review}>
      <Reading of={read}>
        {({ run }) => (
          <>
            {run.draft?.reason && <Text dir="auto">{run.draft.reason}</Text>}
            <ReviewedInputs run={run} />
            <CallOrigins run={run} />
            <DecideRun run={run} />
          </>
        )}
      </Reading>
    </div>
  );
}

function ReviewedInputs({ run }: { run: Run }) {
  const action = useRead('getAction', { params: { action_identifier: thingIdentifier(run.action) ?? '' } });
  // show no input before it is known which ones are secrets
  if (action.isPending) return <TextSkeleton />;
  const form = (action.data?.action.trigger as { userInputs?: Parameters<typeof RunInputs>[0]['form'] } | undefined)
    ?.userInputs;
  return <RunInputs values={run.properties} form={form} />;
}
