import { locale } from '../../kit/language.ts';
import { barsLie, type Part } from './chart-parts.ts';
import classes from './charts.module.css';
import { PartButton, usePartKeys } from './part-button.tsx';

/** Bars from zero, with their label and number beside them. */
export function Bars({
  parts,
  label,
  onPick,
}: {
  parts: readonly Part[];
  label: string;
  onPick?: ((part: Part) => void) | undefined;
}) {
  const keys = usePartKeys();
  const most = Math.max(1, ...parts.map(({ count }) => count));
  const lie = barsLie(parts);
  return (
    <ul {...keys} className={lie ? classes.lying : classes.standing} aria-label={label}>
      {parts.map((part, index) => {
        const { label: name, count, colour } = part;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two values may have the same name
          <li key={index}>
            <span className={classes.label} title={name} dir="auto">
              {name}
            </span>
            <span className={classes.track} aria-hidden="true">
              <span className={classes.bar} style={{ flexGrow: count / most, background: colour }} />
              {!lie && <span className={classes.count}>{count.toLocaleString(locale)}</span>}
              <span style={{ flexGrow: 1 - count / most }} />
            </span>
            <span className={lie ? classes.count : 'visually-hidden'}>{count.toLocaleString(locale)}</span>
            <PartButton part={part} onPick={onPick} />
          </li>
        );
      })}
    </ul>
  );
}
