import { barsLie, type Part } from './chart-parts.ts';
import classes from './charts.module.css';

/** Bars from zero, with their label and number beside them. */
export function Bars({ parts, label }: { parts: readonly Part[]; label: string }) {
  const most = Math.max(1, ...parts.map(({ count }) => count));
  const lie = barsLie(parts);
  return (
    <ul className={lie ? classes.lying : classes.standing} aria-label={label}>
      {parts.map(({ label: name, count, colour }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two values may have the same name
        <li key={index}>
          <span className={classes.label} title={name} dir="auto">
            {name}
          </span>
          <span className={classes.track} aria-hidden="true">
            <span className={classes.bar} style={{ flexGrow: count / most, background: colour }} />
            {!lie && <span className={classes.count}>{count.toLocaleString()}</span>}
            <span style={{ flexGrow: 1 - count / most }} />
          </span>
          <span className={lie ? classes.count : 'visually-hidden'}>{count.toLocaleString()}</span>
        </li>
      ))}
    </ul>
  );
}
