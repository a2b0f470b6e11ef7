import { locale } from '../../kit/language.ts';
import { t } from '../../kit/translate.ts';
import { ColourBadge } from '../badges.tsx';
import { Sparkline } from './sparkline.tsx';
import classes from './stat.module.css';
import {
  type Change,
  meetsTarget,
  readChange,
  type StatPeriod,
  type StatSettings,
  type Trend,
  type TrendKind,
} from './stat-trend.ts';
import { conditionMet, figureText, type Widget, widgetText } from './widget-shape.ts';

export interface StatTrend {
  readonly kind: TrendKind;
  readonly trend: Trend;
  /** The points are on the scale of the figure, so that its target can be drawn among them. */
  readonly isOnScale: boolean;
}

/** A figure with its change, its target and its course. */
export function Stat({
  value,
  widget,
  settings,
  over,
}: {
  value: number;
  widget: Widget;
  settings: StatSettings;
  /** Undefined if it is not compared, or its history is not there yet. */
  over: StatTrend | undefined;
}) {
  const condition = conditionMet(value, widget);
  return (
    <div className={classes.stat}>
      <div className={classes.top}>
        <p className={classes.figure}>{figureText(value, widget)}</p>
        {over && settings.hasSparkline && (
          <Sparkline
            points={over.trend.points}
            target={over.isOnScale ? settings.target : undefined}
            label={courseOf(over.trend, widget)}
          />
        )}
      </div>
      <div className={classes.notes}>
        {condition && (
          <p>
            <ColourBadge colour={condition.color}>{condition.message || t('Condition met')}</ColourBadge>{' '}
            {condition.description}
          </p>
        )}
        {over && <ChangeNote over={over} widget={widget} settings={settings} />}
        <TargetNote value={value} widget={widget} settings={settings} />
      </div>
    </div>
  );
}

const rolling: Readonly<Record<StatPeriod, string>> = {
  week: t('in 7 days'),
  month: t('in a month'),
  quarter: t('in 3 months'),
};

function ChangeNote({ over, widget, settings }: { over: StatTrend; widget: Widget; settings: StatSettings }) {
  const { trend, kind } = over;
  const change = readChange(trend, settings.goodWhen);
  if (!change)
    return (
      <p>
        {trend.since === undefined ? t('No history yet') : t('History since {since}', { since: dayOf(trend.since) })}
      </p>
    );
  const when = kind === 'flow' ? t('last {period}', { period: settings.period }) : rolling[settings.period];
  if (change.by === 0) return <p>{t('No change {when}', { when })}</p>;
  const figures = t('{figureText} after {figureText2}', {
    figureText: figureText(trend.current ?? 0, widget),
    figureText2: figureText(trend.previous ?? 0, widget),
  });
  return (
    <p className={classes.verdict} data-verdict={change.verdict} title={figures}>
      <span aria-hidden="true">{change.by > 0 ? '▲' : '▼'}</span>
      <span className="visually-hidden">{change.by > 0 ? t('Up') : t('Down')}</span> {sizeOf(change, widget)} {when}
      {change.verdict && ` · ${change.verdict}`}
    </p>
  );
}

/** In percent; in points for what is a percentage, and as a number for what was nothing before. */
function sizeOf({ by, share }: Change, widget: Widget): string {
  const size = Math.abs(by);
  const rounded = size.toLocaleString(locale, { maximumFractionDigits: size < 10 ? 1 : 0 });
  if (widgetText(widget, 'unit') === '%') return t('{rounded} points', { rounded });
  if (share === undefined) return rounded;
  const part = Math.abs(share);
  return part.toLocaleString(locale, { style: 'percent', maximumFractionDigits: part < 0.1 ? 1 : 0 });
}

function TargetNote({ value, widget, settings }: { value: number; widget: Widget; settings: StatSettings }) {
  const { target } = settings;
  const isMet = meetsTarget(value, settings);
  if (target === undefined || isMet === undefined) return null;
  const figure = figureText(target, widget);
  return (
    <p className={classes.verdict} data-verdict={isMet ? 'better' : 'worse'}>
      <span aria-hidden="true">{isMet ? '✓' : '✗'}</span>{' '}
      {isMet ? t('Target {target} met', { target: figure }) : t('Target {target} missed', { target: figure })}
    </p>
  );
}

function courseOf({ points, dates }: Trend, widget: Widget): string {
  const first = points.findIndex((each) => each !== null);
  const last = points.findLastIndex((each) => each !== null);
  const at = (index: number) =>
    t('{figureText} on {dayOf}', {
      figureText: figureText(points[index] ?? 0, widget),
      dayOf: dayOf(dates[index] ?? 0),
    });
  return first < 0 ? t('No history') : t('From {first} to {last}', { first: at(first), last: at(last) });
}

function dayOf(at: number): string {
  return new Date(at).toLocaleDateString(locale, { day: 'numeric', month: 'short' });
}
