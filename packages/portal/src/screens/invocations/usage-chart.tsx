import { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { t } from '../../kit/translate.ts';
import { colourValues } from '../../theme/colours.ts';
import type { UsageOfDay } from './usage-figures.ts';

/** The chart of the usage screen, loaded separately. The table beside it has the same numbers. */
export function UsageChart({ days }: { days: readonly UsageOfDay[] }) {
  const axis = { stroke: 'var(--muted)', fontSize: 12 };
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart data={[...days]} margin={{ top: 8, right: 8, bottom: 0, left: 0 }} accessibilityLayer>
        <CartesianGrid vertical={false} stroke="var(--border)" />
        <XAxis dataKey="day" tickFormatter={(day: string) => day.slice(5)} tick={{ fill: 'var(--muted)' }} {...axis} />
        <YAxis allowDecimals={false} width={44} tick={{ fill: 'var(--muted)' }} {...axis} />
        <Tooltip
          cursor={{ fill: 'var(--sunken)' }}
          contentStyle={{ background: 'var(--raised)', border: '1px solid var(--border)', color: 'var(--text)' }}
          itemStyle={{ color: 'var(--text)' }}
        />
        <Legend formatter={(name: string) => <span style={{ color: 'var(--text)' }}>{name}</span>} />
        <Bar
          isAnimationActive={false}
          dataKey="completed"
          name={t('Completed')}
          stackId="all"
          fill={colourValues('green').solid}
        />
        <Bar
          isAnimationActive={false}
          dataKey="failed"
          name={t('Failed')}
          stackId="all"
          fill={colourValues('red').solid}
        />
        <Bar
          isAnimationActive={false}
          dataKey="inProgress"
          name={t('In progress')}
          stackId="all"
          fill={colourValues('blue').solid}
        />
      </BarChart>
    </ResponsiveContainer>
  );
}
