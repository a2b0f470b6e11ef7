import classes from './stat.module.css';

const height = 28;
const width = 100;

/** A small line without axes; gaps stay gaps, and a target is a dashed line. */
export function Sparkline({
  points,
  target,
  label,
}: {
  points: readonly (number | null)[];
  target?: number | undefined;
  label: string;
}) {
  const known = [...points, target].filter((each): each is number => typeof each === 'number');
  if (points.filter((each) => each !== null).length < 2) return null;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const yOf = (value: number) =>
    high === low ? height / 2 : height - 2 - ((value - low) / (high - low)) * (height - 4);
  const xOf = (index: number) => 2 + (index / (points.length - 1)) * (width - 4);
  const lines = runsOf(points).map((run) => run.map(({ index, value }) => `${xOf(index)},${yOf(value)}`).join(' '));
  const last = runsOf(points).at(-1)?.at(-1);
  return (
    <svg
      className={classes.sparkline}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {target !== undefined && <line className={classes.target} x1={0} x2={width} y1={yOf(target)} y2={yOf(target)} />}
      {lines.map((line) => (
        <polyline key={line} className={classes.line} points={line} />
      ))}
      {last && (
        <line
          className={classes.dot}
          x1={xOf(last.index)}
          x2={xOf(last.index)}
          y1={yOf(last.value)}
          y2={yOf(last.value)}
        />
      )}
    </svg>
  );
}

/** Points in a row that have values. */
function runsOf(points: readonly (number | null)[]): { index: number; value: number }[][] {
  const runs: { index: number; value: number }[][] = [];
  let isOpen = false;
  for (const [index, value] of points.entries()) {
    if (value === null) {
      isOpen = false;
      continue;
    }
    if (!isOpen) runs.push([]);
    isOpen = true;
    runs.at(-1)?.push({ index, value });
  }
  return runs;
}
