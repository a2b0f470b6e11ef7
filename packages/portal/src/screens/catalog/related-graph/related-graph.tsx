import { Button, Checkbox, Group, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Blueprint } from '@portolan/contract/blueprints';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { useUrlState } from '../../../frame/url-state.ts';
import { arrowDirection, useOneTabStop } from '../../../kit/arrow-keys.ts';
import { t } from '../../../kit/translate.ts';
import type { FieldEntity } from '../../../parts/entities/fields.ts';
import type { Connection } from '../connections.ts';
import { Arrows } from './arrows.tsx';
import { OpenedColumn, SideColumn } from './column.tsx';
import type { Side } from './group-card.tsx';
import { moveFocus } from './move-focus.ts';
import classes from './related-graph.module.css';
import { readTrail, type Step, stepsMax, toggleStep, writeTrail } from './trail.ts';
import { useGroups } from './use-groups.ts';

const path = '/e/$blueprint/$entity/$tab';

/**
 * The entity among its neighbors: one list per relation and direction, in columns that scroll instead of shrinking.
 * The arrows repeat what the lists say.
 */
export function RelatedGraph({
  connections,
  blueprints,
  blueprint,
  entity,
  onTable,
}: {
  connections: readonly Connection[];
  blueprints: readonly Blueprint[];
  blueprint: string;
  entity: FieldEntity;
  onTable: (connection: Connection) => void;
}) {
  const [find = '', setFind] = useUrlState(path, 'find');
  const [text, setText] = useState(find);
  const [sought] = useDebouncedValue(text.trim(), 250);
  const [platform, setPlatform] = useUrlState(path, 'platform');
  const shown = useMemo(
    () => connections.filter((each) => platform || !each.blueprint.startsWith('_')),
    [connections, platform],
  );
  const platformCount = connections.filter((each) => each.blueprint.startsWith('_')).length;
  const reads = useGroups(shown, blueprints, sought);
  const content = useRef<HTMLDivElement>(null);
  useOneTabStop(content);
  const left = useTrail('left');
  const right = useTrail('right');
  const nothing = sought ? t('Nothing matches “{sought}”.', { sought }) : t('Nothing yet.');
  const opened = (side: Side, { trail, toggle, close }: Trail) =>
    trail.map((step, index) => (
      <OpenedColumn
        // biome-ignore lint/suspicious/noArrayIndexKey: the same entity may be open in two columns
        key={`${index} ${step.blueprint} ${step.identifier}`}
        step={step}
        side={side}
        level={index + 1}
        blueprints={blueprints}
        withPlatform={platform === true}
        opened={trail[index + 1]}
        onToggle={index + 1 < stepsMax ? (next) => toggle(index + 1, next) : undefined}
        onClose={() => close(index)}
      />
    ));
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = arrowDirection(event);
    if (direction && moveFocus(event.target as HTMLElement, direction)) event.preventDefault();
  };
  const title = entity.title || entity.identifier || '';
  const target = blueprints.find(({ identifier }) => identifier === blueprint);
  return (
    <>
      <Group gap="md">
        <TextInput
          aria-label={t('Find a related entity')}
          placeholder={t('Find a related entity')}
          leftSection={<Search size={16} aria-hidden="true" />}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            setFind(currentTarget.value.trim() || undefined);
          }}
        />
        {text && (
          <Button variant="subtle" size="compact-sm" onClick={() => [setText(''), setFind(undefined)]}>
            {t('Clear search')}
          </Button>
        )}
        {platformCount > 0 && (
          <Checkbox
            label={t('Show platform records')}
            checked={platform === true}
            onChange={({ currentTarget }) => setPlatform(currentTarget.checked || undefined)}
          />
        )}
      </Group>
      <section className={classes.scroll} aria-label={t('Relations of {title}', { title })} onKeyDown={onKeyDown}>
        <div className={classes.content} ref={content}>
          <Arrows content={content} stamp={`${left.stamp} ${right.stamp}`} />
          {opened('left', left).toReversed()}
          <SideColumn
            side="left"
            title={t('Leads here')}
            reads={reads.filter(({ connection }) => !connection.isOutward)}
            nothing={nothing}
            opened={left.trail[0]}
            onToggle={(step) => left.toggle(0, step)}
            onTable={onTable}
          />
          <div className={classes.centreColumn} data-column="centre">
            <div className={classes.centre} data-anchor="centre" data-item data-first tabIndex={-1}>
              <span dir="auto">{title}</span>
              <small dir="auto">{target?.title ?? blueprint}</small>
            </div>
          </div>
          <SideColumn
            side="right"
            title={t('Leads to')}
            reads={reads.filter(({ connection }) => connection.isOutward)}
            nothing={nothing}
            opened={right.trail[0]}
            onToggle={(step) => right.toggle(0, step)}
            onTable={onTable}
          />
          {opened('right', right)}
        </div>
      </section>
      <Text size="sm" c="dimmed">
        {t(
          'Arrow keys move between entities. Press the key that points away from {title} to show an entity’s own relations.',
          { title },
        )}
      </Text>
    </>
  );
}

interface Trail {
  readonly trail: readonly Step[];
  readonly stamp: string;
  readonly toggle: (level: number, step: Step) => void;
  readonly close: (level: number) => void;
}

function useTrail(side: Side): Trail {
  const [texts, setTexts] = useUrlState(path, side);
  const stamp = JSON.stringify(texts ?? []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stamp stands for the texts, which are new each time
  const trail = useMemo(() => readTrail(texts), [stamp]);
  return {
    trail,
    stamp,
    toggle: (level, step) => setTexts(writeTrail(toggleStep(trail, level, step))),
    close: (level) => setTexts(writeTrail(trail.slice(0, level))),
  };
}
