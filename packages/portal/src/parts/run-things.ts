import type { AnswerOf } from '../api/api.ts';

export type Run = AnswerOf<'getRun'>['run'];
type Named = Run['action'] | Run['entity'] | undefined;

/** Things that a run names come as their identifier, or with their title. */
export function titleOf(thing: Named): string | undefined {
  if (typeof thing === 'string') return thing;
  return thing?.title ?? thing?.identifier;
}

export function identifierOf(thing: Named): string | undefined {
  return typeof thing === 'string' ? thing : thing?.identifier;
}

export function runAddress(id: string): string {
  return `/runs/${encodeURIComponent(id)}`;
}

export function isOver({ status }: { status?: string | undefined }): boolean {
  return status === 'SUCCESS' || status === 'FAILURE' || status === 'DECLINED';
}

/** The address of the form of an action, with values filled in. */
export function formAddress(
  action: string,
  values: Readonly<Record<string, unknown>> = {},
  entity?: string | undefined,
): string {
  const query = new URLSearchParams();
  if (entity) query.set('entity', spelled(entity));
  for (const [key, value] of Object.entries(values)) {
    if (value !== undefined && value !== null) query.set(key, spelled(value));
  }
  const text = query.toString();
  return `/self-service/${encodeURIComponent(action)}${text ? `?${text}` : ''}`;
}

/** As the router reads it back: texts as they are, unless they look like something else. */
function spelled(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  try {
    JSON.parse(value);
    return JSON.stringify(value);
  } catch {
    return value;
  }
}

/** Where the definition of an action is changed. */
export function actionEditorAddress(action: string): string {
  return `/builder/actions/${encodeURIComponent(action)}`;
}
