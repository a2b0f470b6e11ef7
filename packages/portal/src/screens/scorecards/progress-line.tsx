import { Progress } from '@mantine/core';
import { locale } from '../../kit/language.ts';
import { t } from '../../kit/translate.ts';
import { percent } from './campaign-words.ts';
import classes from './scorecards.module.css';

/** How many have reached the target, as a bar and in words. */
export function ProgressLine({
  label,
  reach,
}: {
  label: string;
  reach: { readonly reached: number; readonly total: number; readonly exempt: number };
}) {
  const { reached, total, exempt } = reach;
  const share = percent(reach);
  const counts = { reached: reached.toLocaleString(locale), total: total.toLocaleString(locale) };
  const text =
    exempt === 0
      ? t('{reached} of {total} reached', counts)
      : t('{reached} of {total} reached, {exempt} exempt', { ...counts, exempt: exempt.toLocaleString(locale) });
  return (
    <div>
      <Progress size={10} value={share} aria-label={`${label}: ${text}`} />
      <div className={classes.progressText}>
        <span>
          {exempt > 0 && <span aria-hidden="true">◇ </span>}
          {text}
        </span>
        <span>{share} %</span>
      </div>
    </div>
  );
}
