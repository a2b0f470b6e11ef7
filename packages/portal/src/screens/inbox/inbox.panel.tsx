import { Stack, Text, Title } from '@mantine/core';
import { useRef } from 'react';
import { type InboxRun, useInbox } from '../../frame/inbox.ts';
import { AnchorLink, ButtonLink } from '../../frame/links.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { ErrorState, TextSkeleton, useIsSlow } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { StatusBadge } from '../../parts/badges.tsx';
import { DecideInPlace } from '../../parts/decide-in-place.tsx';
import { effectsMost, RunEffect } from '../../parts/effect/run-effect.tsx';
import { runAddress, thingTitle } from '../../parts/run-things.ts';
import { WaitingForm } from '../../parts/workflows/waiting-forms.tsx';
import classes from './inbox.module.css';

/** Pending approvals and the user's recent runs. */
export function Panel() {
  const { waiting, forms, mine, isPending, error, refetch } = useInbox();
  const isSlow = useIsSlow(isPending);
  const heading = useRef<HTMLHeadingElement>(null);
  if (isPending) return <div aria-busy="true">{isSlow && <TextSkeleton />}</div>;
  return (
    <Stack gap="lg">
      {error && (
        <ErrorState error={error} what={t('Part of the inbox could not be read')} onRetry={() => void refetch()} />
      )}
      <section aria-labelledby="inbox-waiting">
        <Title order={3} size="h4" id="inbox-waiting" mb="xs" ref={heading} tabIndex={-1}>
          {t('Waiting for a decision')}
        </Title>
        {waiting.length + forms.length === 0 && <Text c="dimmed">{t('Nothing waits for you.')}</Text>}
        {waiting.length > 0 && <Runs runs={waiting} onDecided={() => heading.current?.focus()} />}
        {forms.length > 0 && (
          <ul className={classes.list} aria-label={t('Questions of workflows')}>
            {forms.map((run) => (
              <WaitingForm key={run.identifier} run={run} className={classes.item} headClassName={classes.line} />
            ))}
          </ul>
        )}
        <ButtonLink to="/approvals" variant="default" size="xs" mt="xs">
          {t('Open approvals')}
        </ButtonLink>
      </section>
      <section aria-labelledby="inbox-mine">
        <Title order={3} size="h4" id="inbox-mine" mb="xs">
          {t('What you ran')}
        </Title>
        {mine.length === 0 ? <Text c="dimmed">{t('You have not run an action yet.')}</Text> : <Runs runs={mine} />}
      </section>
    </Stack>
  );
}

/** Rows of runs; those that wait say what they will do, and are decided here where that is all there is to know. */
function Runs({ runs, onDecided }: { runs: readonly InboxRun[]; onDecided?: () => void }) {
  return (
    <ul className={classes.list}>
      {runs.map((run, index) => (
        <li key={run.id} className={classes.item}>
          <div className={classes.line}>
            <AnchorLink {...runAddress(run.id ?? '')} c="var(--text)" fw={600}>
              {thingTitle(run.action) ?? run.id}
            </AnchorLink>
            <StatusBadge status={run.status ?? ''} label={run.statusLabel} />
          </div>
          <Text size="sm" c="dimmed" component="div">
            {thingTitle(run.entity) && <>{thingTitle(run.entity)} · </>}
            {run.createdBy} · <RelativeTime at={run.createdAt} />
          </Text>
          {onDecided && run.id && index < effectsMost && (
            <>
              <RunEffect run={run.id} />
              {run.status === 'WAITING_FOR_APPROVAL' && (
                <DecideInPlace run={run.id} title={thingTitle(run.action) ?? run.id} onDecided={onDecided} />
              )}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
