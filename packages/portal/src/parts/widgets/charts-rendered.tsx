import {
  Bar,
  BarChart,
  CartesianGrid,
  Cell,
  Legend,
  Line,
  LineChart,
  Pie,
  PieChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { colourValues, seriesColours } from '../../theme/colours.ts';
import classes from './widgets.module.css';

export interface Part {
  readonly label: string;
  readonly count: number;
  readonly colour?: string | undefined;
}

function solidColour(colour: string | undefined, index: number): string {
  return colourValues(colour ?? seriesColours[index % seriesColours.length]).solid;
}

const axis = { stroke: 'var(--muted)', fontSize: 12, tickLine: false } as const;
const tooltip = {
  contentStyle: {
    background: 'var(--raised)',
    border: '1px solid var(--border)',
    borderRadius: 6,
    color: 'var(--text)',
  },
} as const;

/** Loaded when a chart is first shown. */
export function BarsRendered({ parts, label }: { parts: readonly Part[]; label: string }) {
  const height = Math.max(160, parts.length * 30 + 40);
  return (
    <div style={{ height }} role="img" aria-label={label}>
      <ResponsiveContainer>
        <BarChart data={[...parts]} layout="vertical" margin={{ left: 8, right: 24 }} accessibilityLayer={false}>
          <CartesianGrid horizontal={false} stroke="var(--border)" />
          <XAxis type="number" allowDecimals={false} {...axis} />
          <YAxis type="category" dataKey="label" width={120} interval={0} {...axis} />
          <Tooltip {...tooltip} />
          <Bar dataKey="count" name="Count" isAnimationActive={false} radius={3}>
            {parts.map((part) => (
              <Cell key={part.label} fill={solidColour(part.colour, 0)} />
            ))}
          </Bar>
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}

export function PieRendered({ parts, label }: { parts: readonly Part[]; label: string }) {
  return (
    <div className={classes.chart} role="img" aria-label={label}>
      <ResponsiveContainer>
        <PieChart accessibilityLayer={false}>
          <Pie
            data={[...parts]}
            dataKey="count"
            nameKey="label"
            innerRadius="52%"
            outerRadius="84%"
            isAnimationActive={false}
            stroke="var(--surface)"
          >
            {parts.map((part, index) => (
              <Cell key={part.label} fill={solidColour(part.colour, index)} />
            ))}
          </Pie>
          <Tooltip {...tooltip} />
          <Legend
            formatter={(name: string) => (
              <span
                style={{ color: 'var(--text)' }}
              >{`${name} ${parts.find((part) => part.label === name)?.count ?? ''}`}</span>
            )}
          />
        </PieChart>
      </ResponsiveContainer>
    </div>
  );
}

export interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

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
  return (
    <div className={classes.chart} role="img" aria-label={label}>
      <ResponsiveContainer>
        <LineChart data={data} margin={{ left: 8, right: 16, bottom: xTitle ? 16 : 0 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke="var(--border)" />
          <XAxis
            dataKey="date"
            minTickGap={24}
            {...axis}
            {...(xTitle
              ? { label: { value: xTitle, position: 'insideBottom', offset: -8, fill: 'var(--muted)', fontSize: 12 } }
              : {})}
          />
          <YAxis
            width={48}
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
          {series.map(({ name }, index) => (
            <Line
              key={name}
              dataKey={`series${index}`}
              name={name}
              stroke={solidColour(undefined, index)}
              strokeWidth={2}
              dot={{ r: 2 }}
              isAnimationActive={false}
              connectNulls={false}
            />
          ))}
        </LineChart>
      </ResponsiveContainer>
    </div>
  );
}
