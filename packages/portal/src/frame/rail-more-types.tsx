import { ChevronDown, Layers } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { t } from '../kit/translate.ts';
import classes from './frame.module.css';
import { scoreMatch } from './palette-results.ts';
import type { RailNode } from './rail-tree.ts';

/** The pages that came with their types and that nobody arranged, folded, so that the rest of the rail stays in sight. */
export function RailMoreTypes({
  nodes,
  children,
}: {
  nodes: readonly RailNode[];
  children: (shown: readonly RailNode[]) => ReactNode;
}) {
  const [words, setWords] = useState('');
  if (nodes.length === 0) return null;
  const nameOf = ({ item }: RailNode) => item.title ?? item.identifier;
  const shown = nodes
    .filter((node) => scoreMatch(nameOf(node), words) > 0)
    .toSorted((left, right) => nameOf(left).localeCompare(nameOf(right)));
  return (
    <details className={classes.folder}>
      <summary className={classes.railLink} data-item tabIndex={-1}>
        <Layers size={16} aria-hidden="true" />
        <span className={classes.railLabel}>{t('More types ({count})', { count: nodes.length })}</span>
        <ChevronDown size={14} className={classes.chevron} aria-hidden="true" />
      </summary>
      <div className={classes.inFolder}>
        <input
          type="search"
          className={classes.railFilter}
          placeholder={t('Filter types')}
          aria-label={t('Filter types')}
          value={words}
          onChange={({ currentTarget }) => setWords(currentTarget.value)}
        />
        {children(shown)}
        {shown.length === 0 && <p className={classes.railNothing}>{t('No match for “{words}”.', { words })}</p>}
      </div>
    </details>
  );
}
