import { Progress } from '@mantine/core';
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
  const text = `${reached.toLocaleString()} of ${total.toLocaleString()} reached`;
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
