import { MultiSelect } from '@mantine/core';
import { useRead } from '../../api/query.ts';
import { widgetList, widgetText } from '../widgets/widget-shape.ts';
import { formTitle } from '../workflows/entity-triggers.ts';
import { type InputProps, withWritten } from './form-fields.ts';

/** Chooses forms by which workflows are started. */
export function FormsInput({ field, widget, error, onAnswer }: InputProps) {
  const triggers = useRead('listSelfServiceTriggers').data?.triggers ?? [];
  const written = widgetList(widget, field.key);
  const nameOf = (workflow = '', trigger = '') => `${workflow}/${trigger}`;
  const choices = triggers.map((form) => ({
    value: nameOf(form.workflowIdentifier, form.nodeIdentifier),
    label: formTitle(form, triggers),
  }));
  const chosen = written.map((each) =>
    nameOf(widgetText(each, 'workflowIdentifier'), widgetText(each, 'triggerIdentifier')),
  );
  return (
    <MultiSelect
      label={field.label}
      error={error}
      searchable
      data={withWritten(choices, chosen)}
      value={chosen}
      onChange={(next) =>
        onAnswer(
          next.map((name) => {
            const [workflowIdentifier, triggerIdentifier] = name.split('/');
            return written[chosen.indexOf(name)] ?? { workflowIdentifier, triggerIdentifier };
          }),
        )
      }
    />
  );
}
