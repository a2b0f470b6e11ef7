import { isRecord } from '@portolan/contract/json-value';
import { useState } from 'react';
import { t } from '../../kit/translate.ts';
import { type Widget, widgetText } from '../widgets/widget-shape.ts';
import { addTo, findWidget, type Place, removeFrom, replaceIn } from './draft-tree.ts';
import { missingIn } from './form-fields.ts';
import { newWidgetId } from './page-draft.ts';
import { addingInWords, nameOfWidget, widgetKind } from './widget-kinds.ts';

interface Gallery {
  readonly kind: 'gallery';
  readonly place: Place;
}

interface WidgetForm {
  readonly kind: 'form';
  readonly id: string;
  /** The widget as it was when the form was opened; absent for a new one. */
  readonly original: Widget | undefined;
  /** Where a new one was added. */
  readonly place: Place;
  /** Its name when the form was opened: what is typed afterwards is one step for undo. */
  readonly name: string;
  /** What is typed as JSON, while it is edited so. */
  readonly text: string | undefined;
}

/** What is open beside the page for adding and editing widgets. Changes of a form reach the real widget at once. */
export function useSide(widgets: readonly Widget[], onChange: (widgets: readonly Widget[], label: string) => void) {
  const [open, setOpen] = useState<Gallery | WidgetForm>();
  const [showsProblems, setShowsProblems] = useState(false);
  const form = open?.kind === 'form' ? open : undefined;
  // an undo may have taken the widget away
  const widget = form && findWidget(widgets, form.id);
  const isText = form?.text !== undefined;
  const read = widget && form.text !== undefined ? readWidget(form.text, widget) : undefined;
  const jsonProblem = read && 'problem' in read ? read.problem : undefined;
  const kind = widget && widgetKind(widget);
  const missing: ReadonlyMap<string, string> =
    widget && kind && !isText ? missingIn(kind.fields, widget) : new Map<string, string>();
  const begin = (next: Gallery | WidgetForm | undefined) => {
    setShowsProblems(false);
    setOpen(next);
  };
  const write = (next: Widget) =>
    form && onChange(replaceIn(widgets, form.id, next), t('Change the widget {name}', { name: form.name }));
  /** Closes the form or the gallery, unless the widget misses something. */
  const settle = (): boolean => {
    if (widget && (jsonProblem !== undefined || missing.size > 0)) {
      setShowsProblems(true);
      return false;
    }
    begin(undefined);
    return true;
  };
  const cancel = () => {
    if (widget && form) {
      if (form.original === undefined) onChange(removeFrom(widgets, form.id), t('Remove {name}', { name: form.name }));
      else if (form.original !== widget)
        onChange(replaceIn(widgets, form.id, form.original), t('Put {name} back', { name: form.name }));
    }
    begin(undefined);
  };
  return {
    gallery: open?.kind === 'gallery' ? open : undefined,
    form: widget && form ? { ...form, widget, kind, missing, jsonProblem, showsProblems } : undefined,
    settle,
    cancel,
    write,
    add(place: Place) {
      if (settle()) begin({ kind: 'gallery', place });
    },
    edit(chosen: Widget) {
      const id = widgetText(chosen, 'id');
      if (id === undefined || !settle()) return;
      const text = widgetKind(chosen) ? undefined : toJson(chosen);
      begin({ kind: 'form', id, original: chosen, place: 'page', name: nameOfWidget(chosen), text });
    },
    /** Puts a new widget on the page and opens its form. */
    choose(type: string, begins: Widget | undefined) {
      if (open?.kind !== 'gallery') return;
      const id = newWidgetId();
      const chosen = { id, type, ...structuredClone(begins ?? {}) };
      onChange(addTo(widgets, open.place, [chosen]), addingInWords([chosen]));
      begin({ kind: 'form', id, original: undefined, place: open.place, name: nameOfWidget(chosen), text: undefined });
    },
    chooseAgain() {
      if (!form) return;
      onChange(removeFrom(widgets, form.id), t('Remove {name}', { name: form.name }));
      begin({ kind: 'gallery', place: form.place });
    },
    addReady(added: readonly Widget[]) {
      if (open?.kind !== 'gallery') return;
      onChange(addTo(widgets, open.place, added), addingInWords(added));
      begin(undefined);
    },
    typeJson(text: string) {
      if (!form || !widget) return;
      setOpen({ ...form, text });
      const typed = readWidget(text, widget);
      if ('widget' in typed) write(typed.widget);
    },
    toJson() {
      if (form && widget) setOpen({ ...form, text: toJson(widget) });
    },
    /** From JSON to the form, if it can be read. */
    toForm() {
      if (form && kind && jsonProblem === undefined) setOpen({ ...form, text: undefined });
    },
  };
}

export type SideState = ReturnType<typeof useSide>;

function toJson(widget: Widget): string {
  return JSON.stringify(widget, null, 2);
}

/** Parses a text as the widget. The id stays, because the layout refers to it. */
function readWidget(text: string, { id }: Widget): { readonly widget: Widget } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: (error as Error).message };
  }
  if (!isRecord(value)) return { problem: t('A widget must be a JSON object') };
  const widget = value as Widget;
  if (widgetText(widget, 'type') === undefined) return { problem: t('"type" is required, for example "markdown"') };
  return { widget: { ...widget, id } };
}
