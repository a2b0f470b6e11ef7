import { locale } from '../../kit/language.ts';
import { colourValues } from '../../theme/colours.ts';
import classes from './scorecards.module.css';

export interface Share {
  readonly title: string;
  readonly color: string;
  readonly count: number;
}

/** How many entities are at each level, as a bar with a legend in words. */
export function DistributionBar({ label, shares }: { label: string; shares: readonly Share[] }) {
  const total = shares.reduce((sum, { count }) => sum + count, 0);
  const text = shares.map(({ title, count }) => `${title} ${count.toLocaleString(locale)}`).join(', ');
  return (
    <div className={classes.distribution}>
      <div className={classes.bar} role="img" aria-label={`${label}: ${text}`}>
        {total > 0 &&
          shares
            .filter(({ count }) => count > 0)
            .map(({ title, color, count }) => (
              <span
                key={title}
                className={classes.share}
                style={{ flexGrow: count, background: colourValues(color).solid }}
              />
            ))}
      </div>
      <ul className={classes.legend} aria-hidden="true">
        {shares.map(({ title, color, count }) => (
          <li key={title}>
            <span className={classes.dot} style={{ background: colourValues(color).solid }} />
            <span dir="auto">{title}</span>
            <b>{count.toLocaleString(locale)}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}
