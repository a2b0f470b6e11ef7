import { locale } from '../../kit/language.ts';
import { t } from '../../kit/translate.ts';
import classes from './widgets.module.css';

export function FigureTable({
  label,
  heads,
  rows,
}: {
  label: string;
  heads: readonly string[];
  rows: readonly (readonly (string | number | null)[])[];
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys
    <section className={classes.scroller} tabIndex={0} aria-label={t('Figures of {label}', { label })}>
      <table className={classes.figures}>
        <thead>
          <tr>
            {heads.map((head, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two values may have the same name
              <th key={index} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two values may have the same name
            <tr key={at}>
              <th scope="row">{row[0]}</th>
              {row.slice(1).map((value, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are
                <td key={index}>
                  {typeof value === 'number'
                    ? value.toLocaleString(locale, { maximumFractionDigits: 2 })
                    : (value ?? '–')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
