import { ArrowRight } from 'lucide-react';
import { t } from '../../kit/translate.ts';
import classes from './migration.module.css';

/** The value before and after; short values in one line, long ones side by side. */
export function BeforeAfter({
  before,
  after,
  label,
  empty,
}: {
  before: unknown;
  after: unknown;
  label: string;
  /** Text for null; "not there" by default. */
  empty?: string;
}) {
  const [left, right] = [written(before, empty), written(after, empty)];
  const isShort = [left, right].every((text) => text.length <= 80 && !text.includes('\n'));
  if (isShort) {
    return (
      <div className={classes.change}>
        <span className="visually-hidden">{t('Before:')} </span>
        <code className={classes.before}>{left}</code>
        <ArrowRight size={14} aria-hidden="true" />
        <span className="visually-hidden">{t('after:')} </span>
        <code className={classes.after}>{right}</code>
      </div>
    );
  }
  return (
    <div className={classes.sides}>
      <Side name={t('Before')} text={left} label={label} className={classes.before} />
      <Side name={t('After')} text={right} label={label} className={classes.after} />
    </div>
  );
}

function Side({
  name,
  text,
  label,
  className,
}: {
  name: string;
  text: string;
  label: string;
  className: string | undefined;
}) {
  return (
    <figure className={classes.side}>
      <figcaption className={classes.note}>{name}</figcaption>
      {/* focusable, so that the keyboard can scroll it */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable */}
      <section tabIndex={0} aria-label={`${name}: ${label}`} className={`${classes.long} ${className ?? ''}`}>
        <pre>{text}</pre>
      </section>
    </figure>
  );
}

/** Values as text: strings as they are, everything else as JSON. */
export function written(value: unknown, empty = 'not there'): string {
  if (value === null || value === undefined) return empty;
  if (typeof value === 'string') return value;
  const short = JSON.stringify(value);
  return short.length <= 80 ? short : JSON.stringify(value, null, 2);
}
