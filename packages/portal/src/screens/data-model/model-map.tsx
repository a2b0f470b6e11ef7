import {
  type FocusEvent,
  type KeyboardEvent,
  memo,
  type PointerEvent,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
} from 'react';
import { arrowDirection, useOneTabStop } from '../../kit/arrow-keys.ts';
import { locale } from '../../kit/language.ts';
import { t } from '../../kit/translate.ts';
import { EntityIcon } from '../../parts/entity-icon.tsx';
import type { Blueprint } from './blueprint-draft.ts';
import { focusNearest } from './focus-nearest.ts';
import type { Lane } from './lanes.ts';
import { MapArrows } from './map-arrows.tsx';
import classes from './model-graph.module.css';
import { connectedWith } from './model-links.ts';
import { describe, type ModelView, readCount } from './model-view.ts';

const columnsMax = 4;
const noLanes: readonly Lane[] = [];
const nobody: ReadonlySet<string> = new Set();

/** All blueprints as chips in lanes. Only the arrows of one are drawn at a time: all of them could not be read. */
export function ModelMap({ view, lanes }: { view: ModelView; lanes: readonly Lane[] }) {
  const { blueprints, links, found, selected, onSelect } = view;
  const [pointed, setPointed] = useState<string>();
  const root = useRef<HTMLElement>(null);
  useOneTabStop(root);
  // drawn in slices, so that hundreds of chips block nothing
  const drawn = useDeferredValue(lanes, noLanes);
  const active = pointed ?? selected;
  const linked = useMemo(() => (active === undefined ? nobody : connectedWith(links, active)), [links, active]);
  const chipAt = ({ target }: { target: EventTarget }) =>
    (target as Element).closest<HTMLElement>('[data-chip]')?.dataset['chip'];
  const activeBlueprint = blueprints.find(({ identifier }) => identifier === active);
  return (
    <>
      <section
        ref={root}
        className={classes.lanes}
        aria-label={t('Map of blueprints')}
        aria-busy={drawn !== lanes || undefined}
        data-map
        data-active={active}
        data-sought={found ? true : undefined}
        // between chips the last one stays, also one that the keyboard is on
        onPointerOver={(event: PointerEvent) => {
          const chip = event.pointerType === 'mouse' ? chipAt(event) : undefined;
          if (chip) setPointed(chip);
        }}
        onPointerLeave={() => setPointed(undefined)}
        onFocus={(event: FocusEvent) => setPointed(chipAt(event))}
        onBlur={() => setPointed(undefined)}
        onKeyDown={(event: KeyboardEvent) => {
          const direction = arrowDirection(event);
          if (direction && focusNearest(event.currentTarget, event.target as Element, direction))
            event.preventDefault();
        }}
        onClick={(event) => {
          const chip = chipAt(event);
          if (chip) onSelect(chip === selected ? undefined : chip);
        }}
      >
        {drawn.map(({ title, blueprints: members }) => (
          <LaneBox key={members[0]?.identifier} title={title} count={members.length}>
            {members.map((blueprint) => (
              <Chip
                key={blueprint.identifier}
                blueprint={blueprint}
                count={readCount(view, blueprint.identifier)}
                isOn={active === blueprint.identifier}
                isSelected={selected === blueprint.identifier}
                isLinked={linked.has(blueprint.identifier)}
                isMatch={found?.has(blueprint.identifier) ?? false}
              />
            ))}
          </LaneBox>
        ))}
        <MapArrows root={root} active={active} links={links} lanes={drawn} />
      </section>
      <p className="visually-hidden" role="status">
        {activeBlueprint ? describe(view, activeBlueprint) : ''}
      </p>
    </>
  );
}

function LaneBox({ title, count, children }: { title: string; count: number; children: React.ReactNode }) {
  // small lanes stand beside each other
  const columns = Math.min(columnsMax, Math.ceil(Math.sqrt(count)));
  return (
    <section className={classes.lane} style={{ '--columns': columns } as React.CSSProperties} aria-label={title}>
      <h2 className={classes.laneTitle}>
        <span dir="auto">{title}</span> <span>{count.toLocaleString(locale)}</span>
      </h2>
      <ul className={classes.chips}>{children}</ul>
    </section>
  );
}

const Chip = memo(function Chip({
  blueprint: { identifier, title, icon },
  count,
  isOn,
  isSelected,
  isLinked,
  isMatch,
}: {
  blueprint: Blueprint;
  count: number | undefined;
  isOn: boolean;
  isSelected: boolean;
  isLinked: boolean;
  isMatch: boolean;
}) {
  return (
    <li>
      <button
        type="button"
        className={classes.chip}
        title={title}
        aria-pressed={isSelected}
        tabIndex={-1}
        data-item
        data-chip={identifier}
        data-on={isOn || undefined}
        data-linked={isLinked || undefined}
        data-match={isMatch || undefined}
      >
        <EntityIcon name={icon} />
        <span dir="auto">{title}</span>
        {count !== undefined && <span className={classes.count}>{count.toLocaleString(locale)}</span>}
      </button>
    </li>
  );
});
