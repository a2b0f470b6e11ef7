import { type RefObject, useEffect, useState } from 'react';
import classes from './related-graph.module.css';

interface Arrow {
  readonly key: string;
  readonly path: string;
}

/**
 * The arrows behind the groups, from measured positions. A group names its anchor by `data-from`, the anchor says
 * `data-anchor`; `data-inward` turns the arrow around. Measured again when a column or the content changes its size.
 */
export function Arrows({ content, stamp }: { content: RefObject<HTMLElement | null>; stamp: string }) {
  const [arrows, setArrows] = useState<readonly Arrow[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stamp says that there are other columns to watch
  useEffect(() => {
    const root = content.current;
    if (!root) return;
    const measure = () =>
      setArrows((before) => {
        const found = measureArrows(root);
        return found.map(({ path }) => path).join() === before.map(({ path }) => path).join() ? before : found;
      });
    const watcher = new ResizeObserver(measure);
    watcher.observe(root);
    for (const column of root.querySelectorAll('[data-column]')) watcher.observe(column);
    return () => watcher.disconnect();
  }, [content, stamp]);
  return (
    <svg className={classes.arrows} aria-hidden="true">
      <defs>
        <marker id="related-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
          <path d="M0 0 8 4 0 8Z" />
        </marker>
      </defs>
      {arrows.map(({ key, path }) => (
        <path key={key} d={path} markerEnd="url(#related-arrow)" />
      ))}
    </svg>
  );
}

function measureArrows(root: HTMLElement): readonly Arrow[] {
  const origin = root.getBoundingClientRect();
  return [...root.querySelectorAll<HTMLElement>('[data-from]')].flatMap((card, index) => {
    const { from = '', inward } = card.dataset;
    const anchor = root.querySelector(`[data-anchor="${from}"]`);
    if (!anchor) return [];
    const near = anchor.getBoundingClientRect();
    const far = card.getBoundingClientRect();
    const isRight = far.left > near.left;
    const start = { x: (isRight ? near.right : near.left) - origin.left, y: (near.top + near.bottom) / 2 - origin.top };
    // at the heading, whatever the length of the group
    const end = { x: (isRight ? far.left : far.right) - origin.left, y: far.top + 20 - origin.top };
    const [tail, head] = inward === undefined ? [start, end] : [end, start];
    const bend = (tail.x + head.x) / 2;
    const path = `M${tail.x} ${tail.y}C${bend} ${tail.y} ${bend} ${head.y} ${head.x} ${head.y}`;
    return [{ key: `${from} ${index}`, path }];
  });
}
