import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { arrowDirection, useOneTabStop } from '../../kit/arrow-keys.ts';
import { locale } from '../../kit/language.ts';
import { Menu } from '../../kit/menu.tsx';
import { t } from '../../kit/translate.ts';
import type { Layout } from '../../parts/graph/layout.ts';
import { focusNearest } from './focus-nearest.ts';
import type { Fold } from './focus-nodes.ts';
import { cardHeight, ModelCard } from './model-card.tsx';
import classes from './model-graph.module.css';
import type { Link } from './model-links.ts';
import { describe, type ModelView } from './model-view.ts';
import type { PlacedGraph } from './use-layout.ts';

/** The cards where the layout has them, with the arrows behind. Scrolls instead of shrinking. */
export function FocusCanvas({
  view,
  graph: { nodes, edges, request, layout },
  focus,
  onFocus,
}: {
  view: ModelView;
  graph: PlacedGraph;
  focus: string | undefined;
  onFocus: (identifier: string) => void;
}) {
  const { blueprints, found, selected } = view;
  const root = useRef<HTMLElement>(null);
  const [heard, setHeard] = useState<string>();
  useOneTabStop(root);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another layout has the focus elsewhere
  useEffect(() => {
    root.current?.querySelector('[data-focus]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [layout, focus]);
  const nameOf = (identifier: string) => blueprints.find((each) => each.identifier === identifier);
  const spoken = heard === undefined ? undefined : nameOf(heard);
  return (
    <>
      <section
        ref={root}
        className={classes.scroll}
        aria-label={t('Graph of blueprints')}
        onFocus={({ target }) => setHeard((target as HTMLElement).dataset['chip'])}
        onKeyDown={(event: KeyboardEvent) => {
          const direction = arrowDirection(event);
          if (direction && focusNearest(event.currentTarget, event.target as Element, direction))
            event.preventDefault();
        }}
      >
        <div
          className={classes.canvas}
          style={{ width: layout.width, height: layout.height }}
          data-sought={found ? true : undefined}
        >
          <Edges edges={edges} layout={layout} selected={selected} />
          {edges.map(({ from, to, label }, index) => {
            const route = layout.routes[index];
            const labelWidth = request.edges[index]?.labelWidth ?? 0;
            const middle = route?.[Math.floor(route.length / 2)];
            if (!middle || labelWidth === 0) return null;
            return (
              <span
                key={`${from} ${to}`}
                className={classes.edgeLabel}
                dir="auto"
                style={{ transform: `translate(${middle.x}px, ${middle.y}px) translate(-50%, -50%)` }}
              >
                {label}
              </span>
            );
          })}
          <ul className={classes.cards}>
            {request.nodes.map(({ id, width, height }) => {
              const place = layout.places[id];
              const blueprint = nameOf(id);
              const fold = nodes.folds.find((each) => each.id === id);
              if (!place) return null;
              const style = { width, height, transform: `translate(${place.x}px, ${place.y}px)` };
              return (
                <li key={id} className={classes.place} style={style}>
                  {blueprint && (
                    <ModelCard
                      blueprint={blueprint}
                      view={view}
                      isFocus={id === focus}
                      withProperties={height > cardHeight}
                    />
                  )}
                  {fold && <FoldCard fold={fold} nameOf={(each) => nameOf(each)?.title ?? each} onFocus={onFocus} />}
                </li>
              );
            })}
          </ul>
        </div>
      </section>
      <p className="visually-hidden" role="status">
        {spoken ? describe(view, spoken) : ''}
      </p>
    </>
  );
}

function Edges({ edges, layout, selected }: { edges: readonly Link[]; layout: Layout; selected: string | undefined }) {
  return (
    <svg className={classes.arrows} aria-hidden="true">
      <defs>
        <marker id="model-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto">
          <path d="M0 0 8 4 0 8Z" />
        </marker>
      </defs>
      {edges.map(({ from, to, isRequired }, index) => (
        <path
          key={`${from} ${to}`}
          d={(layout.routes[index] ?? []).map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x} ${y}`).join('')}
          data-on={selected === from || selected === to || undefined}
          data-optional={isRequired ? undefined : true}
          // a fold stands for relations in both directions
          markerEnd={to.startsWith('\n') ? undefined : 'url(#model-arrow)'}
        />
      ))}
    </svg>
  );
}

function FoldCard({
  fold: { lane, members },
  nameOf,
  onFocus,
}: {
  fold: Fold;
  nameOf: (identifier: string) => string;
  onFocus: (identifier: string) => void;
}) {
  return (
    <Menu withinPortal position="bottom-start">
      <Menu.Target>
        <button type="button" className={classes.card} tabIndex={-1} data-item>
          <span className={classes.cardTitle}>
            <span dir="auto">
              {t('{count} more in {lane}', { count: members.length.toLocaleString(locale), lane })}
            </span>
          </span>
        </button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        <Menu.Label>{t('Focus on')}</Menu.Label>
        {members.map((each) => (
          <Menu.Item key={each} onClick={() => onFocus(each)}>
            {nameOf(each)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
