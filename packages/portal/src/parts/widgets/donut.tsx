import { locale } from '../../kit/language.ts';
import type { Part } from './chart-parts.ts';
import classes from './charts.module.css';
import { PartButton, usePartKeys } from './part-button.tsx';

const outer = 50;
const inner = 31;

/** A ring of shares, and what they are in words. */
export function Donut({
  parts,
  label,
  onPick,
}: {
  parts: readonly Part[];
  label: string;
  onPick?: ((part: Part) => void) | undefined;
}) {
  const keys = usePartKeys();
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  let before = 0;
  const arcs = parts.map((part) => {
    const from = before / total;
    before += part.count;
    return { ...part, path: arc(from, before / total) };
  });
  return (
    <div className={classes.donut}>
      <svg viewBox="-52 -52 104 104" aria-hidden="true">
        {arcs.map(({ colour, path }) => (
          <path key={path} d={path} style={{ fill: colour }} fillRule="evenodd" />
        ))}
        <text textAnchor="middle" dominantBaseline="central">
          {total.toLocaleString(locale)}
        </text>
      </svg>
      <ul {...keys} className={classes.shares} aria-label={label}>
        {parts.map((part, index) => {
          const { label: name, count, colour } = part;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two values may have the same name
            <li key={index}>
              <span className={classes.swatch} style={{ background: colour }} aria-hidden="true" />
              <span className={classes.label} title={name} dir="auto">
                {name}
              </span>
              <span className={classes.count}>
                {count.toLocaleString(locale)}{' '}
                <span className={classes.share}>
                  {(count / total).toLocaleString(locale, { style: 'percent', maximumFractionDigits: 0 })}
                </span>
              </span>
              <PartButton part={part} onPick={onPick} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** A piece of the ring between two shares of the whole, clockwise from the top. */
function arc(from: number, to: number): string {
  if (to - from >= 1) return `${circle(outer)} ${circle(inner)}`;
  const [a, b] = [from, to].map((share) => share * 2 * Math.PI - Math.PI / 2) as [number, number];
  const at = (angle: number, radius: number) => `${radius * Math.cos(angle)} ${radius * Math.sin(angle)}`;
  const isLarge = to - from > 0.5 ? 1 : 0;
  return `M${at(a, outer)} A${outer} ${outer} 0 ${isLarge} 1 ${at(b, outer)} L${at(b, inner)} A${inner} ${inner} 0 ${isLarge} 0 ${at(a, inner)} Z`;
}

function circle(radius: number): string {
  return `M0 ${-radius} A${radius} ${radius} 0 1 1 0 ${radius} A${radius} ${radius} 0 1 1 0 ${-radius} Z`;
}
