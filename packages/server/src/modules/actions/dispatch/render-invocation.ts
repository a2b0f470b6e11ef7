import { JqError, type JqValue, type TemplateFailure } from '@portolan/jq';
import { shareTime } from '../../../platform/evaluation-time.ts';
import { renderDocument } from '../../../platform/expressions.ts';
import { mask } from '../../../platform/secrets/secret-scope.ts';
import type { StoredRun } from '../runs/run.ts';
import type { TemplateContext } from './template-context.ts';

/** For all templates of one request together, and as long for the form that is shown: it takes nothing from what is sent. */
const togetherMs = 1_000;

export interface RenderedInvocation {
  readonly method: Readonly<Record<string, unknown>>;
  /** The request as stored and shown, with masked secrets. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** Messages of failed expressions, which rendered as null. */
  readonly failures: readonly string[];
}

/**
 * Renders the templates of an action; secrets are masked in the shown form.
 * @throws Unrenderable if braces are unbalanced or a key does not render to text
 */
export function renderInvocation(
  { action: { definition } }: StoredRun,
  context: TemplateContext,
  secrets: Readonly<Record<string, string>>,
  now: Date,
): RenderedInvocation {
  const masked = Object.fromEntries(Object.keys(secrets).map((name) => [name, mask]));
  // a value computed from a secret cannot be recognized, so the shown form is rendered from masks
  const words = new Map<string, string>();
  const failures: string[] = [];
  const placeOf = ({ expression, path }: TemplateFailure): string => `{{ ${expression.trim()} }} at ${path.join('.')}`;
  const note = (failure: TemplateFailure): void => {
    const place = placeOf(failure);
    failures.push(`${place} failed: ${words.get(place) ?? 'it does not work with the value of a secret'}`);
  };
  const render = (values: Readonly<Record<string, string>>, onError?: (failure: TemplateFailure) => void) =>
    renderDocument(
      'backend',
      definition.invocationMethod as JqValue,
      { ...context, secrets: values } as unknown as JqValue,
      shareTime(now, togetherMs),
      onError,
    ) as Record<string, unknown>;
  try {
    const shown = render(masked, (failure) => words.set(placeOf(failure), failure.error.message));
    // entities are readable, so no secret may be written to them
    const isCatalog = definition.invocationMethod.type === 'UPSERT_ENTITY';
    return { method: render(isCatalog ? masked : secrets, note), shown, failures };
  } catch (error) {
    if (error instanceof JqError) throw new Unrenderable(error.message);
    throw error;
  }
}

/** No run can render this template; a retry does not help. */
export class Unrenderable extends Error {}
