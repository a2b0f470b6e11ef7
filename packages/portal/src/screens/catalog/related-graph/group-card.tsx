import { Button } from '@mantine/core';
import { ArrowLeft, ArrowRight, ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { locale } from '../../../kit/language.ts';
import { LightLink } from '../../../kit/light-link.tsx';
import { ErrorState, TextSkeleton } from '../../../kit/states.tsx';
import { t } from '../../../kit/translate.ts';
import { ColourBadge } from '../../../parts/badges.tsx';
import { fieldValue } from '../../../parts/entities/fields.ts';
import type { FoundEntity } from '../../../parts/entities/use-entities.ts';
import { entityAddress } from '../../../parts/entity-anchor.tsx';
import { EntityIcon } from '../../../parts/entity-icon.tsx';
import type { Connection } from '../connections.ts';
import classes from './related-graph.module.css';
import { statusColour } from './status.ts';
import { isSame, type Step } from './trail.ts';
import type { Group, ReadGroup } from './use-groups.ts';

export type Side = 'left' | 'right';

/** Where a group stands: the column, what opens from it, and the place its arrow comes from. */
export interface Place {
  readonly side: Side;
  readonly level: number;
  readonly opened: Step | undefined;
  readonly onToggle: ((step: Step) => void) | undefined;
  readonly more: (connection: Connection, text: string) => ReactNode;
}

/** One relation in one direction: what is at its other end, how many there are, and the first of them. */
export function GroupCard({ read, place }: { read: ReadGroup; place: Place }) {
  const { connection, group, error, retry } = read;
  const { side, level, more } = place;
  return (
    <li
      className={classes.group}
      data-from={level === 0 ? 'centre' : `${side}${level}`}
      data-inward={connection.isOutward ? undefined : true}
    >
      <h3 className={classes.groupTitle}>
        {level > 0 && <DirectionIcon isOutward={connection.isOutward} side={side} />}
        <EntityIcon name={group?.target?.icon} />
        <span dir="auto">{headingOf(connection, group)}</span>
        {group && <span className={classes.count}>{group.count.toLocaleString(locale)}</span>}
      </h3>
      <p className={classes.via} dir="auto">
        {connection.isOutward
          ? (group?.target?.title ?? connection.blueprint)
          : t('through {label}', { label: connection.label })}
      </p>
      {error ? (
        <ErrorState error={error} onRetry={retry} what={t('This relation could not be read')} />
      ) : !group ? (
        <TextSkeleton lines={2} />
      ) : (
        <ul
          className={classes.rows}
          aria-label={`${headingOf(connection, group)}, ${group.count.toLocaleString(locale)}`}
        >
          {group.rows.map((row) => (
            <Row key={row.identifier} group={group} row={row} place={place} />
          ))}
          {group.count > group.rows.length && (
            <li>
              {more(connection, t('{value} more', { value: (group.count - group.rows.length).toLocaleString(locale) }))}
            </li>
          )}
        </ul>
      )}
    </li>
  );
}

function headingOf(connection: Connection, group: Group | undefined): string {
  return connection.isOutward ? connection.label : (group?.target?.title ?? connection.blueprint);
}

/** Whether the arrow in a further column points at the opened entity or away from it. */
function DirectionIcon({ isOutward, side }: { isOutward: boolean; side: Side }) {
  const Icon = isOutward === (side === 'right') ? ArrowRight : ArrowLeft;
  return <Icon size={14} role="img" aria-label={isOutward ? t('leads to') : 'leads here'} />;
}

function Row({ group, row, place }: { group: Group; row: FoundEntity; place: Place }) {
  const { side, level, opened, onToggle } = place;
  const identifier = row.identifier ?? '';
  const blueprint = group.connection.blueprint;
  const title = row.title || identifier;
  const step = { blueprint, identifier };
  const isOpen = isSame(opened, step);
  const status = group.status && fieldValue(row, group.status);
  const Icon = side === 'right' ? ChevronRight : ChevronLeft;
  return (
    <li
      className={classes.row}
      data-anchor={isOpen ? `${side}${level + 1}` : undefined}
      data-open={isOpen || undefined}
    >
      <LightLink target={entityAddress(blueprint, identifier)} className={classes.entity} title={title} isItem>
        <span dir="auto">{title}</span>
      </LightLink>
      {group.status !== undefined && status !== undefined && (
        <ColourBadge colour={statusColour(group.status, status)}>{String(status)}</ColourBadge>
      )}
      {onToggle && (
        <Button
          className={classes.open ?? ''}
          variant="subtle"
          color="gray"
          size="compact-xs"
          tabIndex={-1}
          data-opens
          aria-expanded={isOpen}
          aria-label={t('Show the relations of {title}', { title })}
          onClick={() => onToggle(step)}
        >
          <Icon size={16} aria-hidden="true" />
        </Button>
      )}
    </li>
  );
}
