import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, useMemo, useRef } from 'react';
import { arrowDirection, useOneTabStop } from '../../../kit/arrow-keys.ts';
import { ErrorState, TextSkeleton } from '../../../kit/states.tsx';
import { t } from '../../../kit/translate.ts';
import { connectionWay, type Definition, findNode, isTrigger, type WorkflowNode } from '../document/definition.ts';
import { wayTitle } from '../document/outline.ts';
import { cardHeight, cardWidth, type Picture, picture } from '../document/picture.ts';
import { findKind } from '../node-kinds.ts';
import classes from './canvas.module.css';

/** What a card shows besides its name. */
export interface CardState {
  /** In words, after the name. */
  readonly said?: string;
  /** How it looks. */
  readonly look?: 'wrong' | 'warning' | 'done' | 'failed' | 'now' | 'off' | undefined;
  readonly count?: number;
}

interface CanvasProps {
  readonly definition: Definition;
  readonly selected: string | undefined;
  readonly onSelect: (identifier: string) => void;
  readonly onOpen?: (identifier: string) => void;
  readonly stateAt: (node: WorkflowNode) => CardState;
  /** Connections that a run took. */
  readonly isTaken?: ((source: string, target: string) => boolean) | undefined;
  readonly label: string;
}

/** The workflow as a picture that lays itself out. Cards are reached by arrow keys along the connections. */
export function Canvas(props: CanvasProps) {
  const { definition } = props;
  const drawn = useMemo(() => picture(definition), [definition]);
  const placed = useQuery({
    queryKey: ['workflow layout', JSON.stringify(drawn.request)],
    queryFn: async () => {
      const { placeCards } = await import('../../../parts/graph/place-cards.ts');
      return { drawn, layout: placeCards(drawn.request) };
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    // the picture before stays until the next one is placed
    placeholderData: (before) => before,
  });
  if (placed.error) return <ErrorState error={placed.error} onRetry={() => void placed.refetch()} />;
  if (!placed.data) return <TextSkeleton lines={6} />;
  return <Placed {...props} {...placed.data} />;
}

interface PlacedProps extends CanvasProps {
  readonly drawn: Picture;
  readonly layout: import('../../../parts/graph/layout.ts').Layout;
}

function Placed({ definition, drawn, layout, selected, onSelect, onOpen, stateAt, isTaken, label }: PlacedProps) {
  const root = useRef<HTMLElement>(null);
  useOneTabStop(root);
  const go = (event: KeyboardEvent<HTMLElement>) => {
    const direction = arrowDirection(event);
    const from = (event.target as HTMLElement).dataset['card'];
    if (!direction || from === undefined) return;
    const next = findNeighbor(definition, drawn, layout, from, direction);
    const card = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-card]')].find(
      (each) => each.dataset['card'] === next,
    );
    card?.focus();
    card?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
    event.preventDefault();
  };
  return (
    <section ref={root} className={classes.scroll} aria-label={label} onKeyDown={go}>
      <div className={classes.canvas} style={{ width: layout.width, height: layout.height }}>
        <svg className={classes.arrows} aria-hidden="true">
          <defs>
            <marker
              id="way-arrow"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="8"
              markerHeight="8"
              markerUnits="userSpaceOnUse"
              orient="auto"
            >
              <path d="M0 0 8 4 0 8Z" />
            </marker>
          </defs>
          {drawn.connections.map(({ sourceIdentifier, targetIdentifier }, index) => (
            <path
              // biome-ignore lint/suspicious/noArrayIndexKey: a connection has no name but its place
              key={index}
              d={(layout.routes[index] ?? []).map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x} ${y}`).join('')}
              data-on={selected === sourceIdentifier || selected === targetIdentifier || undefined}
              data-taken={isTaken?.(sourceIdentifier, targetIdentifier) || undefined}
              data-off={(isTaken && !isTaken(sourceIdentifier, targetIdentifier)) || undefined}
              markerEnd="url(#way-arrow)"
            />
          ))}
        </svg>
        {drawn.connections.map((connection, index) => {
          const route = layout.routes[index];
          const middle = route?.[Math.floor(route.length / 2)];
          const source = findNode(definition, connection.sourceIdentifier);
          const way = connectionWay(connection);
          if (!middle || !source || 'only' in way) return null;
          return (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: a connection has no name but its place
              key={index}
              className={classes.edgeLabel}
              dir="auto"
              style={{ transform: `translate(${middle.x}px, ${middle.y}px) translate(-50%, -50%)` }}
            >
              {wayTitle(source, way) ?? t('Otherwise')}
            </span>
          );
        })}
        <ul className={classes.cards}>
          {definition.nodes.map((node) => {
            const place = layout.places[node.identifier];
            if (!place) return null;
            const style = { width: cardWidth, height: cardHeight, transform: `translate(${place.x}px, ${place.y}px)` };
            return (
              <li key={node.identifier} className={classes.place} style={style}>
                <Card
                  node={node}
                  state={stateAt(node)}
                  isSelected={node.identifier === selected}
                  onSelect={onSelect}
                  onOpen={onOpen}
                />
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}

function Card({
  node,
  state,
  isSelected,
  onSelect,
  onOpen,
}: {
  node: WorkflowNode;
  state: CardState;
  isSelected: boolean;
  onSelect: (identifier: string) => void;
  onOpen: ((identifier: string) => void) | undefined;
}) {
  const { identifier, title } = node;
  const { icon: Icon, label } = findKind(node.config.type);
  return (
    <button
      type="button"
      className={classes.card}
      tabIndex={-1}
      data-item
      data-card={identifier}
      data-look={state.look}
      data-trigger={isTrigger(node) || undefined}
      aria-current={isSelected || undefined}
      onFocus={() => isSelected || onSelect(identifier)}
      onClick={({ detail }) => {
        onSelect(identifier);
        if (detail === 0) onOpen?.(identifier);
      }}
    >
      <Icon size={16} aria-hidden="true" />
      <span className={classes.cardText}>
        <span className={classes.cardTitle} dir="auto">
          {title || identifier}
        </span>{' '}
        <span className={classes.cardKind}>{label}</span>
      </span>{' '}
      {state.count ? (
        <span className={classes.count}>
          <TriangleAlert size={14} aria-hidden="true" /> {state.count}
        </span>
      ) : null}{' '}
      {state.said && <span className="visually-hidden">{state.said}</span>}
    </button>
  );
}

/** Up and down follow the connections, left and right go to the next card of the same row. */
function findNeighbor(
  definition: Definition,
  { connections }: Picture,
  { places }: PlacedProps['layout'],
  from: string,
  direction: 'left' | 'right' | 'up' | 'down',
): string | undefined {
  const here = places[from];
  if (!here) return undefined;
  const near = (names: readonly string[]) =>
    [...names].sort(
      (one, other) => Math.abs((places[one]?.x ?? 0) - here.x) - Math.abs((places[other]?.x ?? 0) - here.x),
    )[0];
  if (direction === 'down') {
    return near(connections.filter((each) => each.sourceIdentifier === from).map((each) => each.targetIdentifier));
  }
  if (direction === 'up') {
    return near(connections.filter((each) => each.targetIdentifier === from).map((each) => each.sourceIdentifier));
  }
  const row = definition.nodes.flatMap(({ identifier }) => {
    const place = places[identifier];
    const isBeside = place && (direction === 'left' ? place.x < here.x : place.x > here.x);
    return place && isBeside && Math.abs(place.y - here.y) < cardHeight ? [identifier] : [];
  });
  return near(row);
}
