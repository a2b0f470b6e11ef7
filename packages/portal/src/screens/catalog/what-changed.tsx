import { SegmentedControl, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { Clock, type LucideIcon, Pencil, Play, Plus, Rocket, Siren, Users } from 'lucide-react';
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { useRead } from '../../api/query.ts';
import { useCommands } from '../../frame/commands.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { exact } from '../../kit/time.ts';
import { EntityAnchor } from '../../parts/entity-anchor.tsx';
import { type Mark, type TimelineEvent, toMarks } from './timeline-marks.ts';
import classes from './what-changed.module.css';

const minute = 60_000;
const spans = [
  { value: '1', label: '24 h', title: '24 hours ago' },
  { value: '7', label: '7 d', title: '7 days ago' },
  { value: '30', label: '30 d', title: '30 days ago' },
] as const;

const eventKinds: Readonly<Record<TimelineEvent['kind'], { readonly word: string; readonly icon: LucideIcon }>> = {
  created: { word: 'Created', icon: Plus },
  changed: { word: 'Change', icon: Pencil },
  owner: { word: 'Owner', icon: Users },
  timer: { word: 'Timer', icon: Clock },
  run: { word: 'Action', icon: Play },
  deployment: { word: 'Deployment', icon: Rocket },
  incident: { word: 'Incident', icon: Siren },
};

const outcomeWords = { success: 'succeeded', failure: 'failed', running: 'in progress', waiting: 'waiting' } as const;

/** An incident that is open or over, or how anything else went. */
function outcomeWord({ kind, outcome }: TimelineEvent): string {
  if (!outcome) return '';
  if (kind !== 'incident') return outcomeWords[outcome];
  return outcome === 'success' ? 'resolved' : 'open';
}

/** The room of one mark. */
const markPx = 26;
const newestMax = 3;

/** What happened to the entity lately: marks on a line, and the newest in words. */
export function WhatChanged({ blueprint, identifier }: { blueprint: string; identifier: string }) {
  const [chosen, setChosen] = useUrlState('/e/$blueprint/$entity', 'span');
  const span = spans.find(({ value }) => value === chosen) ?? spans[1];
  // to the minute, so that the cached answer is found again; the end stays open for what happens meanwhile
  const opened = useMemo(() => Math.floor(Date.now() / minute) * minute, []);
  const from = opened - Number(span.value) * 24 * 60 * minute;
  const read = useRead(
    'getEntityTimeline',
    {
      params: { blueprint_identifier: blueprint, entity_identifier: identifier },
      query: { from: new Date(from).toISOString() },
    },
    { keepsPrevious: true },
  );
  const to = Math.max(opened, read.dataUpdatedAt);
  const { ref, width } = useElementSize();
  const events = read.data?.events ?? [];
  const marks = useMemo(
    () => toMarks(read.data?.events ?? [], from, to, Math.max(Math.floor(width / markPx), 1)),
    [read.data, from, to, width],
  );
  const [at, setAt] = useState<string>();
  const active = marks.find(({ id }) => id === at);
  return (
    <section className={classes.strip} aria-label="What changed">
      <div className={classes.head}>
        <h2 className={classes.title}>What changed</h2>
        <SegmentedControl
          size="xs"
          aria-label="Time span"
          data={spans.map(({ value, label }) => ({ value, label }))}
          value={span.value}
          onChange={(value) => setChosen(value === '7' ? undefined : value)}
        />
      </div>
      <div className={classes.line} ref={ref}>
        {marks.length > 0 && <Marks marks={marks} active={active} onActive={setAt} />}
        <span className={classes.from}>{span.title}</span>
        <span className={classes.now}>now</span>
      </div>
      <div className={classes.told} role="status">
        {read.error ? (
          <Text size="sm" c="dimmed">
            The changes could not be read.{' '}
            <button type="button" className={classes.again} onClick={() => void read.refetch()}>
              Try again
            </button>
          </Text>
        ) : (
          read.data && (
            <Told events={active?.events ?? events} isAll={!active} blueprint={blueprint} identifier={identifier} />
          )
        )}
      </div>
      <Twin events={events} isTruncated={read.data?.truncated ?? false} />
    </section>
  );
}

/** Arrow keys move from mark to mark; what the mark stands for is told beside the line. */
function Marks({
  marks,
  active,
  onActive,
}: {
  marks: readonly Mark[];
  active: Mark | undefined;
  onActive: (id: string | undefined) => void;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  useCommands([{ id: 'time-line', label: 'Go to the time line', keys: 't', run: () => list.current?.focus() }]);
  const at = active ? marks.indexOf(active) : -1;
  const move = (event: KeyboardEvent) => {
    const last = marks.length - 1;
    const places: Readonly<Record<string, number>> = {
      ArrowLeft: at < 0 ? last : Math.max(at - 1, 0),
      ArrowRight: at < 0 ? last : Math.min(at + 1, last),
      Home: 0,
      End: last,
    };
    if (event.key === 'Escape' && at >= 0) onActive(undefined);
    else if (event.key in places) onActive(marks[places[event.key] ?? 0]?.id);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={list}
      role="listbox"
      tabIndex={0}
      aria-label="Events on the time line"
      aria-orientation="horizontal"
      aria-activedescendant={active ? `${id}-${active.id}` : undefined}
      className={classes.marks}
      onKeyDown={move}
    >
      {marks.map((mark) => {
        const { icon: Icon } = eventKinds[mark.head.kind];
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
          <div
            key={mark.id}
            id={`${id}-${mark.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={mark === active}
            aria-label={nameOf(mark)}
            title={nameOf(mark)}
            className={classes.mark}
            data-outcome={mark.head.outcome}
            style={{ insetInlineStart: `${mark.place * 100}%` }}
            onClick={() => onActive(mark === active ? undefined : mark.id)}
          >
            <Icon size={12} aria-hidden="true" />
            {mark.events.length > 1 && <span className={classes.count}>{mark.events.length}</span>}
          </div>
        );
      })}
    </div>
  );
}

function nameOf({ head, events }: Mark): string {
  const more = events.length - 1;
  // the number that is seen is a part of the name, so that it can be said
  return more > 0 ? `${events.length} events: ${sentence(head)} and ${more} more` : sentence(head);
}

function sentence(event: TimelineEvent): string {
  const word = eventKinds[event.kind].word;
  const title = event.kind === 'created' ? '' : event.title;
  return [title ? `${word}: ${title}` : word, outcomeWord(event), exact(new Date(event.at))].filter(Boolean).join(', ');
}

/** The newest events in words, each with the way to it. */
function Told({
  events,
  isAll,
  blueprint,
  identifier,
}: {
  events: readonly TimelineEvent[];
  isAll: boolean;
  blueprint: string;
  identifier: string;
}) {
  if (events.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing changed in this time.
      </Text>
    );
  const shown = events.slice(0, newestMax);
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
          {more.toLocaleString()} more{isAll ? ' on the line' : ' at this time'}
        </Text>
      )}
    </>
  );
}

function Event({ event, blueprint, identifier }: { event: TimelineEvent; blueprint: string; identifier: string }) {
  const { icon: Icon } = eventKinds[event.kind];
  const outcome = outcomeWord(event);
  return (
    <span className={classes.event} data-outcome={event.outcome}>
      <Icon size={12} aria-hidden="true" />
      <span className={classes.what} title={event.title}>
        {event.entity ? (
          <EntityAnchor {...event.entity} title={event.title} />
        ) : event.run ? (
          <Link to="/runs/$run" params={{ run: event.run }}>
            {event.title}
          </Link>
        ) : (
          <Link to="/e/$blueprint/$entity/$tab" params={{ blueprint, entity: identifier, tab: 'audit' }}>
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
    <ol className="visually-hidden" aria-label="All events, newest first">
      {events.map((event) => (
        <li key={`${event.at} ${event.audit ?? event.run ?? event.entity?.identifier ?? event.title}`}>
          {sentence(event)}
        </li>
      ))}
      {isTruncated && <li>Older events are left out.</li>}
    </ol>
  );
}
