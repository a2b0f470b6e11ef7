import { t } from '../../kit/translate.ts';
import { written } from './before-after.tsx';
import classes from './migration.module.css';
import { textDifference } from './text-difference.ts';

/** A rewritten text with its deletions and insertions. */
export function Rewrite({ before, after, label }: { before: unknown; after: unknown; label: string }) {
  const isRemoval = after === null;
  const stretches = textDifference(written(before), isRemoval ? '' : written(after));
  let at = 0;
  return (
    <figure className={classes.side}>
      <figcaption className={classes.note}>{isRemoval ? t('{label}: is removed', { label }) : label}</figcaption>
      {/* focusable, so that the keyboard can scroll it */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable */}
      <section tabIndex={0} aria-label={label} className={`${classes.long} ${classes.rewrite}`}>
        <pre>
          {stretches.map(({ kind, text }) => {
            at += text.length;
            const key = `${kind} ${at}`;
            if (kind === 'same') return <span key={key}>{text}</span>;
            return kind === 'gone' ? (
              <del key={key} className={classes.before}>
                {text}
              </del>
            ) : (
              <ins key={key} className={classes.after}>
                {text}
              </ins>
            );
          })}
        </pre>
      </section>
    </figure>
  );
}
