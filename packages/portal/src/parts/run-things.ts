import { linkOptions } from '@tanstack/react-router';
import type { AnswerOf } from '../api/api.ts';

export type Run = AnswerOf<'getRun'>['run'];
type RunReference = Run['action'] | Run['entity'] | undefined;

/** Things that a run names come as their identifier, or with their title. */
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

/** The form of an action, with values filled in. */
export function formAddress(action: string, values: Readonly<Record<string, unknown>> = {}, entity?: string) {
  const filled = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  const search = { ...(entity ? { entity } : {}), ...Object.fromEntries(filled) };
  return linkOptions({ to: '/self-service/$action', params: { action }, search });
}

/** Where the definition of an action is changed. */
export function actionEditorAddress(action: string) {
  return linkOptions({ to: '/builder/actions/$action', params: { action } });
}
