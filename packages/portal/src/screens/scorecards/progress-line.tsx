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
  reach: { readonly reached: number; readonly total: number };
}) {
  const { reached, total } = reach;
  const share = percent(reach);
  const text = t('{reached} of {total} reached', {
    reached: reached.toLocaleString(locale),
    total: total.toLocaleString(locale),
  });
  return (
    <div>
      <Progress size={10} value={share} aria-label={`${label}: ${text}`} />
      <div className={classes.progressText}>
        <span>{text}</span>
        <span>{share} %</span>
      </div>
    </div>
  );
}
