import { t } from '../../kit/translate.ts';
import type { Refused } from './bulk-edit.ts';
import classes from './entities.module.css';

const most = 50;

/** Which of many were refused, and why. */
export function RefusedList({ refused }: { refused: readonly Refused[] }) {
  if (refused.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reachable by keys
    <ul className={classes.refused} aria-label={t('Not changed')} tabIndex={0}>
      {refused.slice(0, most).map(({ identifier, title, reason }) => (
        <li key={identifier}>
          <strong dir="auto">{title}</strong> {reason}
        </li>
      ))}
      {refused.length > most && <li>{t('and {value} more', { value: refused.length - most })}</li>}
    </ul>
  );
}
