import { Link } from '@tanstack/react-router';
import { useRead } from '../../api/query.ts';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { EntityIcon } from '../entity-icon.tsx';
import { type WidgetProps, widgetList, widgetText } from './widget-shape.ts';
import classes from './widgets.module.css';

/** Cards of self-service actions; only those that the user may run. */
export function ActionWidget({ widget }: WidgetProps) {
  const wanted = widgetList(widget, 'actions').flatMap((each) => widgetText(each, 'action') ?? []);
  const read = useRead('listActions', { query: { trigger_type: 'self-service' } });
  return (
    <Reading of={read}>
      {({ actions }) => {
        const shown = wanted.flatMap((identifier) => actions.find((each) => each.identifier === identifier) ?? []);
        if (shown.length === 0) return <p className={classes.calm}>{t('None of these actions is for you.')}</p>;
        return (
          <div className={classes.actions}>
            {shown.map(({ identifier, title, icon, description }) => (
              <Link
                key={identifier}
                to="/self-service/$action"
                params={{ action: identifier }}
                className={classes.action}
              >
                <strong>
                  <EntityIcon name={icon} />
                  {title ?? identifier}
                </strong>
                {description && <span>{description}</span>}
              </Link>
            ))}
          </div>
        );
      }}
    </Reading>
  );
}
