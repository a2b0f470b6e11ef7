import { Checkbox, Text } from '@mantine/core';
import { useElementSize, useLocalStorage } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useRead } from '../../api/query.ts';
import { useUrlState } from '../../frame/url-state.ts';
import { locale } from '../../kit/language.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import { t } from '../../kit/translate.ts';
import { EntityAnchor } from '../../parts/entity-anchor.tsx';
import { dependencyName, eventKinds, outcomeWord, sentence } from './event-words.ts';
import { countText, Ends, Marks } from './timeline-lane.tsx';
import { mergeEvents, type TimelineEvent, toMarks } from './timeline-marks.ts';
import classes from './what-changed.module.css';

const minute = 60_000;
const spans = [
  { value: '1', label: '24 h', title: t('24 hours ago') },
  { value: '7', label: '7 d', title: t('7 days ago') },
  { value: '30', label: '30 d', title: t('30 days ago') },
] as const;

/** The room of one mark. */
const markPx = 26;
const newestMax = 3;
const newestMaxInTwoLanes = 5;

/** What happened to the entity lately: marks on a line, and the newest in words. */
export function WhatChanged({ blueprint, identifier }: { blueprint: string; identifier: string }) {
  const [chosen, setChosen] = useUrlState('/e/$blueprint/$entity', 'span');
  const span = spans.find(({ value }) => value === chosen) ?? spans[1];
  const [isWithDependencies, setWithDependencies] = useLocalStorage({
    key: 'portolan-changes-of-dependencies',
    defaultValue: false,
    // read at once: the room of the second lane is there from the start
    getInitialValueInEffect: false,
  });
  // to the minute, so that the cached answer is found again; the end stays open for what happens meanwhile
  const opened = useMemo(() => Math.floor(Date.now() / minute) * minute, []);
  const from = opened - Number(span.value) * 24 * 60 * minute;
  const read = useRead(
    'getEntityTimeline',
    {
      params: { blueprint_identifier: blueprint, entity_identifier: identifier },
      query: { from: new Date(from).toISOString(), ...(isWithDependencies ? { include: 'dependencies' } : {}) },
    },
    { keepsPrevious: true },
  );
  const to = Math.max(opened, read.dataUpdatedAt);
  const { ref, width } = useElementSize();
  const own = read.data?.events ?? none;
  const dependencies = isWithDependencies ? read.data?.dependencies : undefined;
  const ofOthers = dependencies?.events ?? none;
  const events = useMemo(() => mergeEvents(own, ofOthers), [own, ofOthers]);
  const places = Math.max(Math.floor(width / markPx), 1);
  const marks = useMemo(() => toMarks(own, from, to, places), [own, from, to, places]);
  const marksOfOthers = useMemo(() => toMarks(ofOthers, from, to, places), [ofOthers, from, to, places]);
  const [at, setAt] = useState<{ readonly isOfOthers: boolean; readonly id: string }>();
  const active = (at?.isOfOthers ? marksOfOthers : marks).find(({ id }) => id === at?.id);
  return (
    <section
      className={classes.strip}
      aria-label={t('What changed')}
      data-has-two-lanes={isWithDependencies || undefined}
    >
      <div className={classes.head}>
        <div className={classes.heading}>
          <h2 className={classes.title}>{t('What changed')}</h2>
          <Checkbox
            size="xs"
            label={t('Dependencies')}
            checked={isWithDependencies}
            onChange={({ currentTarget }) => setWithDependencies(currentTarget.checked)}
          />
        </div>
        <SegmentedControl
          size="xs"
          aria-label={t('Time span')}
          data={spans.map(({ value, label }) => ({ value, label }))}
          value={span.value}
          onChange={(value) => setChosen(value === '7' ? undefined : value)}
        />
      </div>
      <div ref={ref}>
        <div className={classes.line}>
          {marks.length > 0 && (
            <Marks
              label={t('Events on the time line')}
              marks={marks}
              active={active}
              onActive={(id) => setAt(id === undefined ? undefined : { isOfOthers: false, id })}
              isFirst
            />
          )}
          {!isWithDependencies && <Ends from={span.title} />}
        </div>
        {isWithDependencies && (
          <div className={classes.line}>
            {marksOfOthers.length > 0 && (
              <Marks
                label={t('Changes of dependencies')}
                marks={marksOfOthers}
                active={active}
                onActive={(id) => setAt(id === undefined ? undefined : { isOfOthers: true, id })}
              />
            )}
            <Ends from={span.title}>{dependencies && countText(dependencies.entities)}</Ends>
          </div>
        )}
      </div>
      <div className={classes.told} role="status">
        {read.error ? (
          <Text size="sm" c="dimmed">
            {t('The changes could not be read.')}{' '}
            <button type="button" className={classes.again} onClick={() => void read.refetch()}>
              {t('Try again')}
            </button>
          </Text>
        ) : (
          read.data && (
            <Told
              events={active?.events ?? events}
              most={isWithDependencies ? newestMaxInTwoLanes : newestMax}
              isAll={!active}
              blueprint={blueprint}
              identifier={identifier}
            />
          )
        )}
      </div>
      <Twin events={events} isTruncated={(read.data?.truncated ?? false) || (dependencies?.truncated ?? false)} />
    </section>
  );
}

const none: readonly TimelineEvent[] = [];

/** The newest events in words, each with the way to it. */
function Told({
  events,
  most,
  isAll,
  blueprint,
  identifier,
}: {
  events: readonly TimelineEvent[];
  /** As many as there is room for. */
  most: number;
  isAll: boolean;
  blueprint: string;
  identifier: string;
}) {
  if (events.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('Nothing changed in this time.')}
      </Text>
    );
  const shown = events.slice(0, most);
  const more = events.length - shown.length;
  return (
    <>
      <ul className={classes.newest}>
        {shown.map((event) => (
          <li key={`${event.at} ${event.audit ?? event.run ?? event.entity?.identifier ?? event.title}`}>
            <Event event={event} blueprint={blueprint} identifier={identifier} />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Text span size="xs" c="dimmed">
          {t('{more} more{word}', {
            more: more.toLocaleString(locale),
            word: isAll ? ` ${t('on the line')}` : ` ${t('at this time')}`,
          })}
        </Text>
      )}
    </>
  );
}

function Event({ event, blueprint, identifier }: { event: TimelineEvent; blueprint: string; identifier: string }) {
  const { icon: Icon } = eventKinds[event.kind];
  const { dependency } = event;
  const subject = dependency ?? { blueprint, identifier };
  const outcome = outcomeWord(event);
  return (
    <span className={classes.event} data-outcome={event.outcome}>
      <Icon size={12} aria-hidden="true" />
      {dependency && (
        <span className={classes.dependency} title={dependency.identifier} dir="auto">
          {dependencyName(dependency)}
        </span>
      )}
      <span className={classes.what} title={event.title}>
        {event.entity ? (
          <EntityAnchor {...event.entity} title={event.title} />
        ) : event.run ? (
          <Link to="/runs/$run" params={{ run: event.run }}>
            {event.title}
          </Link>
        ) : (
          <Link
            to="/e/$blueprint/$entity/$tab"
            params={{ blueprint: subject.blueprint, entity: subject.identifier, tab: 'audit' }}
          >
            {event.title}
          </Link>
        )}
      </span>
      {outcome && <span className={classes.outcome}>{outcome}</span>}
      <RelativeTime at={event.at} />
    </span>
  );
}

/** All events as text, for readers of the screen. */
function Twin({ events, isTruncated }: { events: readonly TimelineEvent[]; isTruncated: boolean }) {
  if (events.length === 0) return null;
  return (
    <ol className="visually-hidden" aria-label={t('All events, newest first')}>
      {events.map((event) => (
        <li key={`${event.at} ${event.audit ?? event.run ?? event.entity?.identifier ?? event.title}`}>
          {sentence(event)}
        </li>
      ))}
      {isTruncated && <li>{t('Older events are left out.')}</li>}
    </ol>
  );
}
