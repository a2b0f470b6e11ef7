import { useMemo } from 'react';
import { useRead } from '../../api/query.ts';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { type Field, type FieldEntity, fieldValue } from '../entities/fields.ts';
import { PropertyValue } from '../entities/property-value.tsx';
import { useRelationTitles } from '../entities/titles.ts';
import { useFields } from '../entities/use-fields.ts';
import { useNames } from '../entities/use-names.ts';
import { EntityAnchor } from '../entity-anchor.tsx';
import { type WidgetProps, widgetText, widgetTexts } from './widget-shape.ts';
import classes from './widgets.module.css';

/** Details of one entity. */
export function EntityWidget({ widget, context }: WidgetProps) {
  const blueprint = widgetText(widget, 'blueprint') ?? context.entity?.blueprint ?? '';
  const identifier = widgetText(widget, 'entity') ?? context.entity?.identifier ?? '';
  if (!blueprint || !identifier)
    return <p className={classes.calm}>{t('This widget names no entity, so it stays empty.')}</p>;
  return <Details widget={widget} context={context} blueprint={blueprint} identifier={identifier} />;
}

function Details({ widget, blueprint, identifier }: WidgetProps & { blueprint: string; identifier: string }) {
  const read = useRead('getEntity', { params: { blueprint_identifier: blueprint, entity_identifier: identifier } });
  const { fields = [] } = useFields(blueprint);
  return (
    <Reading of={read}>
      {({ entity }) => {
        const hidden = new Set(widgetTexts(widget, 'hiddenQuery'));
        const order = widgetTexts(widget, 'order');
        const place = ({ key }: Field) => (order.includes(key) ? order.indexOf(key) : order.length);
        const shown = fields
          .filter(
            (field) =>
              !hidden.has(field.key) && (widget['showEmptyValues'] === true || fieldValue(entity, field) !== undefined),
          )
          .sort((one, other) => place(one) - place(other));
        return (
          <>
            <EntityAnchor blueprint={blueprint} identifier={identifier} title={entity.title} icon={entity.icon ?? ''} />
            <Values entity={entity} fields={shown} />
          </>
        );
      }}
    </Reading>
  );
}

function Values({ entity, fields }: { entity: FieldEntity; fields: readonly Field[] }) {
  const one = useMemo(() => [entity], [entity]);
  const titles = useRelationTitles(one, fields);
  const names = useNames(titles);
  return (
    <div className={classes.scroller}>
      <table className={classes.figures}>
        <tbody>
          {fields.map((field) => (
            <tr key={field.key}>
              <th scope="row">{field.title}</th>
              <td style={{ textAlign: 'start' }}>
                <PropertyValue field={field} value={fieldValue(entity, field)} names={names} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
