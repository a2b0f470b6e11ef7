import { Lock } from 'lucide-react';
import { t } from '../../kit/translate.ts';
import classes from './filter-bar.module.css';
import { type Widget, widgetText } from './widget-shape.ts';

/** A filter that the page brings; a reader turns it off and on for themselves. */
export function PageFilterChip({
  filter,
  isOn = true,
  onToggle,
}: {
  filter: Widget;
  isOn?: boolean;
  onToggle?: () => void;
}) {
  const words = (
    <>
      <Lock size={12} aria-hidden="true" />
      <span className={classes.text} dir="auto">
        {widgetText(filter, 'title') ?? widgetText(filter, 'identifier')}
      </span>
    </>
  );
  if (!onToggle)
    return (
      <span className={classes.chip} data-locked>
        {words}
      </span>
    );
  return (
    <button
      type="button"
      className={classes.chip}
      data-locked
      aria-pressed={isOn}
      title={isOn ? t('Filter of this page. Press to turn it off for you.') : t('Filter of this page, off for you.')}
      onClick={onToggle}
    >
      {words}
    </button>
  );
}
