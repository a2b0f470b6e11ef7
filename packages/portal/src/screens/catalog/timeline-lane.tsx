import { type KeyboardEvent, useId, useRef } from 'react';
import { useCommands } from '../../frame/commands.tsx';
import { plural, t } from '../../kit/translate.ts';
import { eventKinds, sentence } from './event-words.ts';
import type { Mark } from './timeline-marks.ts';
import classes from './what-changed.module.css';

/** Arrow keys move from mark to mark; what the mark stands for is told beside the line. */
export function Marks({
  label,
  marks,
  active,
  onActive,
  isFirst = false,
}: {
  label: string;
  marks: readonly Mark[];
  active: Mark | undefined;
  onActive: (id: string | undefined) => void;
  /** The lane that the key leads to. */
  isFirst?: boolean;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  useCommands(
    isFirst ? [{ id: 'time-line', label: t('Go to the time line'), keys: 't', run: () => list.current?.focus() }] : [],
  );
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
      aria-label={label}
      aria-orientation="horizontal"
      aria-activedescendant={active && at >= 0 ? `${id}-${active.id}` : undefined}
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
  return more > 0
    ? t('{count} events: {head} and {more} more', { count: events.length, head: sentence(head), more })
    : sentence(head);
}

export function countText(count: number): string {
  if (count === 0) return t('No dependencies');
  return plural(count, '{count} dependency', '{count} dependencies');
}

/** Where a lane begins and ends, and what it is about. */
export function Ends({ from, children }: { from: string; children?: string | undefined }) {
  return (
    <>
      <span className={classes.from}>{from}</span>
      {children && <span className={classes.lane}>{children}</span>}
      <span className={classes.now}>{t('now')}</span>
    </>
  );
}
