import { isRecord } from '@portolan/contract/json-value';
import { t } from '../../kit/translate.ts';
import { type Field, type FieldEntity, fieldValue, isCalculated, shownShape } from '../../parts/entities/fields.ts';
import { type Widget, widgetList, widgetText, widgetTexts } from '../../parts/widgets/widget-shape.ts';
import { fieldName } from './facts.ts';

/** How a group is shown. */
export const groupLooks = ['rows', 'stats', 'links', 'text'] as const;
export type GroupLook = (typeof groupLooks)[number];

export interface LayoutGroup {
  readonly title: string;
  readonly fields: readonly string[];
  readonly as?: GroupLook;
}

/** The layout of a blueprint's entities, as its page keeps it. Fields that it does not name are shown as suggested. */
export interface Layout {
  readonly groups: readonly LayoutGroup[];
  readonly hidden: readonly string[];
  readonly facts: readonly { readonly label?: string; readonly source: string }[];
}

const rowsPerGroup = 10;
const longFormats = new Set(['markdown', 'yaml', 'proto']);

function lookOf(field: Field): GroupLook {
  const shape = shownShape(field);
  const { format = shape.items?.format, type } = shape;
  if (longFormats.has(format ?? '') || (type === 'object' && format !== 'labeled-url')) return 'text';
  if (type === 'array' && shape.items?.type === 'object') return 'text';
  if (format === 'url' || format === 'labeled-url') return 'links';
  if (type === 'number' && !shape.enum) return 'stats';
  return 'rows';
}

const recordFields: ReadonlySet<string> = new Set(['$createdAt', '$createdBy', '$updatedAt', '$updatedBy']);

function isRecordField({ key }: Pick<Field, 'key'>): boolean {
  return recordFields.has(key);
}

/** Fields that groups may hold: the header and the scorecards have the others. */
export function groupableFields(fields: readonly Field[]): readonly Field[] {
  return fields.filter(
    (field) => !['$title', '$identifier'].includes(field.key) && field.source !== 'scorecard' && !isRecordField(field),
  );
}

/** Groups by the kind of the fields: links, what people write by tens, relations, computed values, figures, long texts. */
export function suggestGroups(fields: readonly Field[], title: string): readonly LayoutGroup[] {
  const all = groupableFields(fields);
  const named = (look: GroupLook, isIn: (field: Field) => boolean = () => true) =>
    all.filter((field) => lookOf(field) === look && isIn(field)).map(fieldName);
  const isRelation = ({ key, source }: Field) => source === 'relation' || key === '$team';
  const groups: LayoutGroup[] = [
    { title: t('Links'), fields: named('links'), as: 'links' },
    ...byTens(
      title,
      named('rows', (field) => !isRelation(field) && !isCalculated(field)),
    ),
    ...byTens(t('Relations'), named('rows', isRelation)),
    ...byTens(t('Calculated'), named('rows', isCalculated)),
    { title: t('Numbers'), fields: named('stats'), as: 'stats' },
    ...all
      .filter((field) => lookOf(field) === 'text')
      .map((field) => ({ title: field.title, fields: [fieldName(field)], as: 'text' as const })),
  ];
  return groups.filter((group) => group.fields.length > 0);
}

function byTens(title: string, names: readonly string[]): readonly LayoutGroup[] {
  return Array.from({ length: Math.ceil(names.length / rowsPerGroup) }, (_, index) => ({
    title: index === 0 ? title : `${title} (${index + 1})`,
    fields: names.slice(index * rowsPerGroup, (index + 1) * rowsPerGroup),
    as: 'rows' as const,
  }));
}

/** The groups to show: a stored layout, with what it does not know yet in its suggested groups at the end. */
export function layoutGroups(
  layout: Layout | undefined,
  fields: readonly Field[],
  title: string,
): readonly LayoutGroup[] {
  const suggested = suggestGroups(fields, title);
  if (!layout || layout.groups.length === 0) {
    const hidden = new Set(layout?.hidden);
    return suggested
      .map((group) => ({ ...group, fields: group.fields.filter((name) => !hidden.has(name)) }))
      .filter((group) => group.fields.length > 0);
  }
  const known = new Set(groupableFields(fields).map(fieldName));
  const placed = new Set([...layout.hidden, ...layout.groups.flatMap((group) => group.fields)]);
  const stored = layout.groups.map((group) => ({ ...group, fields: group.fields.filter((name) => known.has(name)) }));
  const rest = suggested
    .map((group) => ({ ...group, fields: group.fields.filter((name) => !placed.has(name)) }))
    .filter((group) => group.fields.length > 0)
    .map((group) =>
      layout.groups.some(({ title: each }) => each === group.title)
        ? { ...group, title: `${group.title} (new)` }
        : group,
    );
  return [...stored, ...rest];
}

export interface ShownGroup {
  readonly title: string;
  readonly as: GroupLook;
  readonly fields: readonly Field[];
}

/** The groups with their fields that have a value, and those that have none. */
export function fillGroups(
  groups: readonly LayoutGroup[],
  fields: readonly Field[],
  entity: FieldEntity,
): { readonly shown: readonly ShownGroup[]; readonly empty: readonly Field[] } {
  const byName = new Map(fields.map((field) => [fieldName(field), field]));
  const isFilled = (field: Field) => fieldValue(entity, field) !== undefined;
  const known = groups.map(({ title, as = 'rows', fields: names }) => ({
    title,
    as,
    fields: names.flatMap((name) => byName.get(name) ?? []),
  }));
  return {
    shown: known
      .map((group) => ({ ...group, fields: group.fields.filter(isFilled) }))
      .filter((group) => group.fields.length > 0),
    empty: known.flatMap((group) => group.fields.filter((field) => !isFilled(field))),
  };
}

/** The layout that a page keeps in its details widget; undefined where none was saved. */
export function readLayout(widget: Widget | undefined): Layout | undefined {
  const stored = widget?.['portolan'];
  if (!isRecord(stored)) return undefined;
  return {
    groups: widgetList(stored, 'groups').map((group) => {
      const as = groupLooks.find((look) => look === group['as']);
      return { title: widgetText(group, 'title') ?? '', fields: widgetTexts(group, 'fields'), ...(as ? { as } : {}) };
    }),
    hidden: widgetTexts(stored, 'hidden'),
    facts: widgetList(stored, 'facts').flatMap((fact) => {
      const [source, label] = [widgetText(fact, 'source'), widgetText(fact, 'label')];
      return source ? [{ source, ...(label ? { label } : {}) }] : [];
    }),
  };
}

/** The widget of a page that shows the entity's details, wherever it stands. */
export function findDetails(widgets: readonly Widget[]): Widget | undefined {
  for (const widget of widgets) {
    if (['entity-details', 'entity-info'].includes(widgetText(widget, 'type') ?? '')) return widget;
    const inner = [
      ...widgetList(widget, 'widgets'),
      ...widgetList(widget, 'groups').flatMap((group) => widgetList(group, 'widgets')),
    ];
    const found = findDetails(inner);
    if (found) return found;
  }
  return undefined;
}

export interface OwnTab {
  /** Its place in the address. */
  readonly value: string;
  readonly label: string;
  readonly widgets: readonly Widget[];
}

const builtIn: ReadonlySet<string> = new Set([
  'entity-details',
  'entity-info',
  'table-entities-explorer-by-direction',
  'runs-table',
  'table-audit-log',
]);

/** The tabs that the page adds to those every entity has. */
export function ownTabs(widgets: readonly Widget[]): readonly OwnTab[] {
  const groups = widgets
    .filter((widget) => widgetText(widget, 'type') === 'grouper')
    .flatMap((each) => widgetList(each, 'groups'));
  return groups.flatMap((group, index) => {
    const own = widgetList(group, 'widgets').filter((widget) => !builtIn.has(widgetText(widget, 'type') ?? ''));
    return own.length === 0
      ? []
      : [
          {
            value: `page-${index + 1}`,
            label: widgetText(group, 'title') ?? t('Tab {value}', { value: index + 1 }),
            widgets: own,
          },
        ];
  });
}
