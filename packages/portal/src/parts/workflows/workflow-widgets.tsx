import { Link } from '@tanstack/react-router';
import { useRead } from '../../api/query.ts';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { EntityIcon } from '../entity-icon.tsx';
import { type WidgetProps, widgetList, widgetText } from '../widgets/widget-shape.ts';
import classes from '../widgets/widgets.module.css';
import { formTitle } from './entity-triggers.ts';
import { startAddress } from './workflow-links.ts';

/** Cards that start workflows; only those that the user may start. */
export function WorkflowCards({ widget }: WidgetProps) {
  const wanted = widgetList(widget, 'items').map((each) => ({
    workflow: widgetText(each, 'workflowIdentifier'),
    trigger: widgetText(each, 'triggerIdentifier'),
  }));
  return (
    <Reading of={useRead('listSelfServiceTriggers')}>
      {({ triggers }) => {
        const shown = wanted.flatMap(
          ({ workflow, trigger }) =>
            triggers.find(
              (each) =>
                each.workflowIdentifier === workflow && (trigger === undefined || each.nodeIdentifier === trigger),
            ) ?? [],
        );
        if (shown.length === 0) return <p className={classes.calm}>{t('None of these workflows is for you.')}</p>;
        return (
          <div className={classes.actions}>
            {shown.map((form) => {
              const { workflow, nodeIdentifier, icon, description } = form;
              const said = description || workflow.description;
              return (
                <Link
                  key={`${workflow.identifier} ${nodeIdentifier}`}
                  {...startAddress(workflow.identifier, nodeIdentifier)}
                  className={classes.action}
                >
                  <strong dir="auto">
                    <EntityIcon name={icon || workflow.icon || ''} />
                    {formTitle(form, triggers)}
                  </strong>
                  {said && <span dir="auto">{said}</span>}
                </Link>
              );
            })}
          </div>
        );
      }}
    </Reading>
  );
}
