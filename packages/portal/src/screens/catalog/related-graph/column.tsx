import { ActionIcon, Button } from '@mantine/core';
import type { Blueprint } from '@portolan/contract/blueprints';
import { X } from 'lucide-react';
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useRead } from '../../../api/query.ts';
import { AnchorLink } from '../../../frame/links.tsx';
import { Reading, TextSkeleton, useIsSlow } from '../../../kit/states.tsx';
import { t } from '../../../kit/translate.ts';
import { entityAddress } from '../../../parts/entity-anchor.tsx';
import { type Connection, listConnections } from '../connections.ts';
import { GroupCard, type Place, type Side } from './group-card.tsx';
import classes from './related-graph.module.css';
import { relationFields } from './status.ts';
import type { Step } from './trail.ts';
import { type ReadGroup, useGroups } from './use-groups.ts';

const headingHeight = 40;

/** The groups of one side of the entity, those without an entity left out. */
export function SideColumn({
  title,
  reads,
  nothing,
  ...place
}: Omit<Place, 'more' | 'level'> & {
  title: string;
  reads: readonly ReadGroup[];
  nothing: string;
  onTable: (connection: Connection) => void;
}) {
  const { onTable, side } = place;
  return (
    <div className={classes.column} data-column={`${side}0`}>
      <h2 className={classes.columnTitle}>{title}</h2>
      <Groups
        reads={reads}
        nothing={nothing}
        label={title}
        place={{
          ...place,
          level: 0,
          more: (connection, text) => (
            <Button variant="subtle" size="compact-xs" data-item tabIndex={-1} onClick={() => onTable(connection)}>
              {text}
            </Button>
          ),
        }}
      />
    </div>
  );
}

/** Keeps a column at the height of the row it was opened from, so that both are on the screen. */
function useBesideOpener(column: RefObject<HTMLElement | null>, name: string): void {
  useLayoutEffect(() => {
    const content = column.current?.parentElement;
    if (!content) return;
    const place = () => {
      const opener = content.querySelector(`[data-anchor="${name}"]`)?.getBoundingClientRect().top;
      const top = opener === undefined ? 0 : Math.max(0, opener - content.getBoundingClientRect().top - headingHeight);
      column.current?.style.setProperty('--opener-top', `${Math.round(top)}px`);
    };
    place();
    const watcher = new ResizeObserver(place);
    for (const each of content.querySelectorAll('[data-column]')) watcher.observe(each);
    return () => watcher.disconnect();
  }, [column, name]);
}

/** The groups of an entity that was opened from another column, in both directions. */
export function OpenedColumn({
  step,
  side,
  level,
  blueprints,
  withPlatform,
  opened,
  onToggle,
  onClose,
}: {
  step: Step;
  side: Side;
  level: number;
  blueprints: readonly Blueprint[];
  withPlatform: boolean;
  opened: Step | undefined;
  onToggle: ((step: Step) => void) | undefined;
  onClose: () => void;
}) {
  const params = { blueprint_identifier: step.blueprint, entity_identifier: step.identifier };
  const read = useRead('getEntity', { params });
  const title = read.data?.entity.title || step.identifier;
  const column = useRef<HTMLDivElement>(null);
  useEffect(() => column.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), []);
  useBesideOpener(column, `${side}${level}`);
  return (
    <div className={`${classes.column} ${classes.opened}`} data-column={`${side}${level}`} ref={column}>
      <h2 className={classes.columnTitle}>
        <span dir="auto">{t('Relations of {title}', { title })}</span>
        <ActionIcon
          size={24}
          tabIndex={-1}
          aria-label={t('Close the relations of {title}', { title })}
          onClick={onClose}
        >
          <X size={14} aria-hidden="true" />
        </ActionIcon>
      </h2>
      <Reading of={read}>
        {({ entity }) => (
          <OpenedGroups
            step={step}
            entity={entity}
            blueprints={blueprints}
            withPlatform={withPlatform}
            place={{
              side,
              level,
              opened,
              onToggle,
              more: (connection, text) => (
                <AnchorLink
                  to="/e/$blueprint/$entity/$tab"
                  params={{ ...entityAddress(step.blueprint, step.identifier).params, tab: 'related' }}
                  search={{ over: connection.id }}
                  size="xs"
                  data-item
                  tabIndex={-1}
                >
                  {text}
                </AnchorLink>
              ),
            }}
          />
        )}
      </Reading>
    </div>
  );
}

function OpenedGroups({
  step,
  entity,
  blueprints,
  withPlatform,
  place,
}: {
  step: Step;
  entity: Parameters<typeof listConnections>[1];
  blueprints: readonly Blueprint[];
  withPlatform: boolean;
  place: Place;
}) {
  const connections = useMemo(() => {
    const blueprint = blueprints.find(({ identifier }) => identifier === step.blueprint);
    if (!blueprint) return [];
    return listConnections(step.blueprint, entity, relationFields(blueprint), blueprints).filter(
      (each) => withPlatform || !each.blueprint.startsWith('_'),
    );
  }, [blueprints, step.blueprint, entity, withPlatform]);
  const reads = useGroups(connections, blueprints, '');
  return (
    <Groups
      reads={reads}
      nothing={t('No relations.')}
      label={t('Relations of {title}', { title: entity.title || step.identifier })}
      place={place}
    />
  );
}

function Groups({
  reads,
  nothing,
  label,
  place,
}: {
  reads: readonly ReadGroup[];
  nothing: string;
  label: string;
  place: Place;
}) {
  const isWaiting = reads.some(({ group, error }) => !group && !error);
  const isSlow = useIsSlow(isWaiting);
  const shown = reads.filter(({ group, error }) => error || (group && group.count > 0));
  if (shown.length === 0)
    return isWaiting ? (
      <div aria-busy="true">{isSlow && <TextSkeleton />}</div>
    ) : (
      <p className={classes.nothing}>{nothing}</p>
    );
  return (
    <ul className={classes.groups} aria-label={label} aria-busy={isWaiting || undefined}>
      {shown.map((read) => (
        <GroupCard key={read.connection.id} read={read} place={place} />
      ))}
    </ul>
  );
}
