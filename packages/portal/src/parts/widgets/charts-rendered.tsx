import { CartesianGrid, Legend, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import charts from './charts.module.css';
import classes from './widgets.module.css';

const axis = { stroke: 'var(--muted)', fontSize: 12, tickLine: false } as const;
const tooltip = {
  contentStyle: {
    background: 'var(--raised)',
    border: '1px solid var(--border)',
    borderRadius: 6,
    color: 'var(--text)',
  },
} as const;

export interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** A CSS colour. */
  readonly colour: string;
}

/** Loaded when a chart is first shown. */
export function LinesRendered({
  series,
  dates,
  label,
  xTitle,
  yTitle,
}: {
  series: readonly Series[];
  dates: readonly string[];
  label: string;
  xTitle?: string | undefined;
  yTitle?: string | undefined;
}) {
  const data = dates.map((date, index) => ({
    date,
    ...Object.fromEntries(series.map(({ values }, at) => [`series${at}`, values[index] ?? null])),
  }));
  const last = dates.length - 1;
  return (
    <div className={classes.chart} role="img" aria-label={label}>
      <ResponsiveContainer>
        <LineChart data={data} margin={{ left: 8, right: 16, bottom: xTitle ? 16 : 0 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke="var(--border)" />
          <XAxis
            dataKey="date"
            interval={Math.max(0, Math.ceil(dates.length / 6) - 1)}
            minTickGap={16}
            {...axis}
            {...(xTitle
              ? { label: { value: xTitle, position: 'insideBottom', offset: -8, fill: 'var(--muted)', fontSize: 12 } }
              : {})}
          />
          <YAxis
            width={48}
            tickCount={5}
            {...axis}
            {...(yTitle
              ? { label: { value: yTitle, angle: -90, position: 'insideLeft', fill: 'var(--muted)', fontSize: 12 } }
              : {})}
          />
          <Tooltip {...tooltip} />
          {series.length > 1 && (
            <Legend
              verticalAlign="top"
              formatter={(name: string) => <span style={{ color: 'var(--text)' }}>{name}</span>}
            />
          )}
          {series.map(({ name, colour }, index) => (
            <Line
              // biome-ignore lint/suspicious/noArrayIndexKey: two lines may have the same name
              key={`series${index}`}
              className={charts[`series${index}`] ?? ''}
              dataKey={`series${index}`}
              name={name}
              stroke={colour}
              strokeWidth={2}
              // a period that is not over is an open point: it may still rise
              dot={({ key, cx, cy, index: at, value }) =>
                value === null || value === undefined ? (
                  <g key={key} />
                ) : (
                  <circle
                    key={key}
                    cx={cx}
                    cy={cy}
                    r={at === last ? 3.5 : 2}
                    stroke={colour}
                    fill={at === last ? 'var(--surface)' : colour}
                  />
                )
              }
              isAnimationActive={false}
              connectNulls={false}
            />
          ))}
        </LineChart>
      </ResponsiveContainer>
    </div>
  );
}
