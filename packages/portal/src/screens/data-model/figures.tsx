import { locale } from '../../kit/language.ts';
import classes from './data-model.module.css';

export function Figures({ of: figures }: { of: readonly (readonly [string, number])[] }) {
  return (
    <dl className={classes.figures}>
      {figures.map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{count.toLocaleString(locale)}</dd>
        </div>
      ))}
    </dl>
  );
}
