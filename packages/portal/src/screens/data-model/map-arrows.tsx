import { type RefObject, useLayoutEffect, useState } from 'react';
import classes from './model-graph.module.css';
import { findNeighbors, type Links } from './model-links.ts';

interface Arrow {
  readonly key: string;
  readonly path: string;
  readonly isOut: boolean;
  readonly isRequired: boolean;
}

/** The arrows of one chip, from where the chips stand. */
export function MapArrows({
  root,
  active,
  links,
  lanes,
}: {
  root: RefObject<HTMLElement | null>;
  active: string | undefined;
  links: Links;
  /** Measured again when the lanes are others. */
  lanes: unknown;
}) {
  const [arrows, setArrows] = useState<readonly Arrow[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other lanes are other places
  useLayoutEffect(() => {
    const element = root.current;
    if (!element || active === undefined) return setArrows([]);
    const measure = () => setArrows(measureArrows(element, active, links));
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [root, active, links, lanes]);
  return (
    <svg className={classes.arrows} aria-hidden="true">
      <defs>
        {[true, false].map((isOut) => (
          <marker
            key={String(isOut)}
            id={`map-arrow-${isOut ? 'out' : 'in'}`}
            data-on={isOut || undefined}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="6"
            markerHeight="6"
            orient="auto"
          >
            <path d="M0 0 8 4 0 8Z" />
          </marker>
        ))}
      </defs>
      {arrows.map(({ key, path, isOut, isRequired }) => (
        <path
          key={key}
          d={path}
          data-on={isOut || undefined}
          data-optional={isRequired ? undefined : true}
          markerEnd={`url(#map-arrow-${isOut ? 'out' : 'in'})`}
        />
      ))}
    </svg>
  );
}

function measureArrows(root: HTMLElement, active: string, links: Links): readonly Arrow[] {
  const origin = root.getBoundingClientRect();
  const boxOf = (identifier: string) => {
    const box = root.querySelector(`[data-chip="${CSS.escape(identifier)}"]`)?.getBoundingClientRect();
    return box && new DOMRect(box.x - origin.x, box.y - origin.y, box.width, box.height);
  };
  const { into, out } = findNeighbors(links, active);
  const all = [...into.map((link) => ({ link, isOut: false })), ...out.map((link) => ({ link, isOut: true }))];
  return all.flatMap(({ link: { from, to, isRequired }, isOut }) => {
    const [tail, head] = [boxOf(from), boxOf(to)];
    if (!tail || !head || from === to) return [];
    return [{ key: `${from} ${to}`, path: between(tail, head), isOut, isRequired }];
  });
}

/** From the closer edge of one box to the closer edge of another. */
function between(tail: DOMRect, head: DOMRect): string {
  const isBelow = head.top >= tail.bottom;
  if (isBelow || head.bottom <= tail.top) {
    const [x1, x2] = [tail.left + tail.width / 2, head.left + head.width / 2];
    const [y1, y2] = isBelow ? [tail.bottom, head.top] : [tail.top, head.bottom];
    const bend = (y1 + y2) / 2;
    return `M${x1} ${y1}C${x1} ${bend} ${x2} ${bend} ${x2} ${y2}`;
  }
  const [x1, x2] = head.left >= tail.right ? [tail.right, head.left] : [tail.left, head.right];
  const y = tail.top + tail.height / 2;
  return `M${x1} ${y}L${x2} ${head.top + head.height / 2}`;
}
