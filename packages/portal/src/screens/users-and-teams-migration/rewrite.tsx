import { written } from './before-after.tsx';
import classes from './migration.module.css';
import { textDifference } from './text-difference.ts';

/** What is written in place of what is there, as one text with what goes and what comes. */
export function Rewrite({ before, after, label }: { before: unknown; after: unknown; label: string }) {
  const isRemoval = after === null;
  const stretches = textDifference(written(before), isRemoval ? '' : written(after));
  let at = 0;
  return (
    <figure className={classes.side}>
      <figcaption className={classes.note}>{isRemoval ? `${label}: is removed` : label}</figcaption>
      {/* scrolls, so the keyboard has to reach it */}
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
