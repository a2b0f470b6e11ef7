import { isRecord } from '@portolan/contract/json-value';
import { useCallback, useMemo, useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { t } from '../../kit/translate.ts';
import { toWrittenPage, type WrittenPage } from '../pages/written-page.ts';
import { type Widget, widgetList, widgetText } from '../widgets/widget-shape.ts';

export type Page = AnswerOf<'getPage'>['page'];
export type Draft = WrittenPage;

/** The initial draft: every widget gets an id, which the editor relies on. */
export function beginDraft(page: Page): Draft {
  return nameWidgets(toWrittenPage(page));
}

export function nameWidgets(draft: Draft): Draft {
  return draft.widgets ? { ...draft, widgets: draft.widgets.map(named) as Draft['widgets'] } : draft;
}

function named(widget: Widget): Widget {
  return {
    ...widget,
    ...(widgetText(widget, 'id') === undefined ? { id: newWidgetId() } : {}),
    ...(Array.isArray(widget['widgets']) ? { widgets: widgetList(widget, 'widgets').map(named) } : {}),
    ...(Array.isArray(widget['groups'])
      ? {
          groups: widgetList(widget, 'groups').map((group) =>
            Array.isArray(group['widgets']) ? { ...group, widgets: widgetList(group, 'widgets').map(named) } : group,
          ),
        }
      : {}),
  };
}

/** A copy with new ids, for nested widgets and layout references too. */
export function copyWidget(widget: Widget): Widget {
  const renamed = new Map<string, string>();
  const rename = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rename);
    if (!isRecord(value)) return value;
    const each = value as Widget;
    const id = typeof each['id'] === 'string' ? each['id'] : undefined;
    if (id !== undefined && !renamed.has(id)) renamed.set(id, newWidgetId());
    return Object.fromEntries(
      Object.entries(each).map(([key, inner]) => [
        key,
        key === 'id' && id !== undefined ? renamed.get(id) : rename(inner),
      ]),
    );
  };
  return rename(widget) as Widget;
}

/** A new widget id. Also works on plain HTTP, where `crypto.randomUUID` is missing. */
export function newWidgetId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return `w_${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

interface Step {
  readonly draft: Draft;
  /** The change in words, such as "Remove Health". */
  readonly label: string;
}

const stepsMax = 100;

/** A draft with an undo history. */
export function useDraft(page: Page) {
  const [base, setBase] = useState(() => ({ draft: beginDraft(page), version: page.updatedAt }));
  const [draft, setDraft] = useState(base.draft);
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const change = useCallback(
    (next: Draft, label: string) => {
      if (next === draft) return;
      const last = steps.at(-1);
      // consecutive changes of one field or border are one undo step
      if (last?.label !== label || !/^(Change the|Resize) /.test(label)) {
        setSteps([...steps.slice(-stepsMax), { draft, label }]);
      }
      setDraft(next);
    },
    [draft, steps],
  );
  const undo = useCallback(() => {
    const last = steps.at(-1);
    if (!last) return;
    setDraft(last.draft);
    setSteps(steps.slice(0, -1));
  }, [steps]);
  /** Starts anew from a page: after a save, or to take someone else's version. */
  const restart = useCallback((from: Page) => {
    const next = { draft: beginDraft(from), version: from.updatedAt };
    setBase(next);
    setDraft(next.draft);
    setSteps([]);
  }, []);
  /** Keeps the draft and takes another version as its base. */
  const rebase = useCallback((onto: Page) => setBase({ draft: beginDraft(onto), version: onto.updatedAt }), []);
  const isDirty = useMemo(() => JSON.stringify(draft) !== JSON.stringify(base.draft), [draft, base]);
  return { base, draft, change, undo, lastStep: steps.at(-1)?.label, restart, rebase, isDirty };
}

/** The changes to a page in words, with widgets by name. */
export function describeChanges(before: Draft, after: Draft, nameOf: (widget: Widget) => string): readonly string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)] as (keyof Draft)[]);
  keys.delete('widgets');
  const told = [...keys]
    .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
    .map((key) => `${key}: ${shortText(before[key])} → ${shortText(after[key])}`);
  return [...told, ...widgetChanges(before, after, nameOf)];
}

function widgetChanges(before: Draft, after: Draft, nameOf: (widget: Widget) => string): readonly string[] {
  const was = flat(before);
  const is = flat(after);
  const added = [...is].filter(([id]) => !was.has(id)).map(([, each]) => t('{each} was added', { each: nameOf(each) }));
  const removed = [...was]
    .filter(([id]) => !is.has(id))
    .map(([, each]) => t('{each} was removed', { each: nameOf(each) }));
  const changed = [...is]
    .filter(([id, each]) => was.has(id) && ownText(was.get(id)) !== ownText(each))
    .map(([, each]) => t('{each} was changed', { each: nameOf(each) }));
  const isRearranged =
    added.length + removed.length === 0 && JSON.stringify(listPlaces(before)) !== JSON.stringify(listPlaces(after));
  return [...added, ...removed, ...changed, ...(isRearranged ? [t('Widgets were rearranged')] : [])];
}

function flat(draft: Draft): ReadonlyMap<string, Widget> {
  const found = new Map<string, Widget>();
  const walk = (widgets: readonly Widget[]): void => {
    for (const each of widgets) {
      const id = widgetText(each, 'id');
      if (id !== undefined) found.set(id, each);
      walk(widgetList(each, 'widgets'));
      for (const group of widgetList(each, 'groups')) walk(widgetList(group, 'widgets'));
    }
  };
  walk((draft.widgets ?? []) as readonly Widget[]);
  return found;
}

function ownText(widget: Widget | undefined): string {
  const { widgets, layout, groups, ...own } = widget ?? {};
  return JSON.stringify(own);
}

function listPlaces(draft: Draft): unknown {
  const place = (widget: Widget): unknown => [
    widget['id'],
    widget['layout'],
    widgetList(widget, 'widgets').map(place),
    widgetList(widget, 'groups').map((group) => [group['title'], widgetList(group, 'widgets').map(place)]),
  ];
  return ((draft.widgets ?? []) as readonly Widget[]).map(place);
}

function shortText(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'nothing';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
