import { Code } from '@mantine/core';
import classes from './diff-view.module.css';
import { listDifferences } from './differences.ts';
import { plural, t } from './translate.ts';

const shownMax = 60;

/** The differences between two states, path by path, with the value before and after. */
export function DiffView({ before, after }: { before: unknown; after: unknown }) {
  const all = listDifferences(before, after);
  if (all.length === 0) return null;
  return (
    <details className={classes.diff} open={all.length <= 12}>
      <summary>{plural(all.length, '{count} change', '{count} changes')}</summary>
      <div className={classes.scroller}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Where')}</th>
              <th scope="col">{t('Before')}</th>
              <th scope="col">{t('After')}</th>
            </tr>
          </thead>
          <tbody>
            {all.slice(0, shownMax).map(({ path, before: was, after: is }) => (
              <tr key={path}>
                <th scope="row">
                  <Code>{path || t('(all)')}</Code>
                </th>
                <td className={classes.before}>{formatValue(was)}</td>
                <td className={classes.after}>{formatValue(is)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {all.length > shownMax && <p>{t('and {value} more', { value: all.length - shownMax })}</p>}
    </details>
  );
}

function formatValue(value: unknown): string {
  if (value === undefined || value === null) return '–';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
