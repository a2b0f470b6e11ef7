import { linkOptions } from '@tanstack/react-router';
import type { AnswerOf } from '../api/api.ts';

export type Run = AnswerOf<'getRun'>['run'];
type RunReference = Run['action'] | Run['entity'] | undefined;

/** The title of a referenced thing: references hold an identifier alone, or with the title. */
export function thingTitle(thing: RunReference): string | undefined {
  if (typeof thing === 'string') return thing;
  return thing?.title ?? thing?.identifier;
}

export function thingIdentifier(thing: RunReference): string | undefined {
  return typeof thing === 'string' ? thing : thing?.identifier;
}

export function runAddress(id: string) {
  return linkOptions({ to: '/runs/$run', params: { run: id } });
}

export function isOver({ status }: { status?: string | undefined }): boolean {
  return status === 'SUCCESS' || status === 'FAILURE' || status === 'DECLINED';
}

/** A link to the form of an action, with prefilled values. */
export function formAddress(action: string, values: Readonly<Record<string, unknown>> = {}, entity?: string) {
  const filled = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  const search = { ...(entity ? { entity } : {}), ...Object.fromEntries(filled) };
  return linkOptions({ to: '/self-service/$action', params: { action }, search });
}

/** A link to the editor of an action. */
export function actionEditorAddress(action: string) {
  return linkOptions({ to: '/builder/actions/$action', params: { action } });
}
