import { locale } from '../../kit/language.ts';
import { t } from '../../kit/translate.ts';
import { writtenDate } from '../../parts/campaigns/due.ts';
import classes from './burn-down.module.css';
import { burnDown, type Day } from './burn-down.ts';

const width = 600;
const height = 140;
/** Lines on the edge are not cut. */
const edge = 2;

/** What was open by day, beside the line that ends with nothing on the due date; nothing before the second day. */
export function BurnDownChart({ past, today, dueDate }: { past: readonly Day[]; today: Day; dueDate: string }) {
  const drawn = burnDown(past, today, dueDate);
  const [first, last] = [drawn?.days[0], drawn?.days.at(-1)];
  if (!drawn || !first || !last) return null;
  const text = (points: readonly { readonly x: number; readonly y: number }[]) =>
    points.map(({ x, y }) => `${edge + x * (width - 2 * edge)},${edge + y * (height - 2 * edge)}`).join(' ');
  const label = t('Open entities by day: {open} on {day}, {open2} now, none wanted on {dueDate}', {
    open: first.open.toLocaleString(locale),
    day: writtenDate(first.day),
    open2: last.open.toLocaleString(locale),
    dueDate: writtenDate(dueDate),
  });
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        <span>{t('Open entities by day, at most {openMax}', { openMax: drawn.openMax.toLocaleString(locale) })}</span>
        <span className={classes.legend} aria-hidden="true">
          <span className={classes.openSign} /> {t('Open')}
          <span className={classes.idealSign} /> {t('On schedule')}
        </span>
      </figcaption>
      <svg
        className={classes.drawing}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        <line className={classes.base} x1={0} x2={width} y1={height - edge} y2={height - edge} />
        <polyline className={classes.ideal} points={text(drawn.ideal)} />
        <polyline className={classes.open} points={text(drawn.line)} />
      </svg>
      <div className={classes.dates}>
        <span>{writtenDate(drawn.from)}</span>
        <span>{writtenDate(drawn.to)}</span>
      </div>
    </figure>
  );
}
