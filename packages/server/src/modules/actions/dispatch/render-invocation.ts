import { JqError, type JqValue, renderTemplate, type TemplateFailure } from '@portolan/jq';
import { nodeRegexEngine } from '@portolan/jq/node';
import { mask } from '../../../platform/secrets/secret-scope.ts';
import type { StoredRun } from '../runs/run.ts';
import type { TemplateContext } from './template-context.ts';

/** What an action's templates came to for one run. */
export interface Rendered {
  /** As it is sent. */
  readonly method: Readonly<Record<string, unknown>>;
  /** As it is kept and shown: secrets are masked. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** Sentences about expressions that failed; they rendered as null. */
  readonly failures: readonly string[];
}

const budget = { wallTimeMs: 500 } as const;

/**
 * Renders the templates of an action. A secret shows masked wherever the template asks for it.
 * @throws Unrenderable for braces that do not match and keys that come to no text
 */
export function renderInvocation(
  { action: { definition } }: StoredRun,
  context: TemplateContext,
  secrets: Readonly<Record<string, string>>,
  now: Date,
): Rendered {
  const masked = Object.fromEntries(Object.keys(secrets).map((name) => [name, mask]));
  // what an expression makes of a secret is no secret that is known, so its words are those about the mask
  const words = new Map<string, string>();
  const failures: string[] = [];
  const placeOf = ({ expression, path }: TemplateFailure): string => `{{ ${expression.trim()} }} at ${path.join('.')}`;
  const note = (failure: TemplateFailure): void => {
    const place = placeOf(failure);
    failures.push(`${place} failed: ${words.get(place) ?? 'it does not work with the value of a secret'}`);
  };
  const render = (values: Readonly<Record<string, string>>, onError?: (failure: TemplateFailure) => void) =>
    renderTemplate(definition.invocationMethod as JqValue, { ...context, secrets: values } as unknown as JqValue, {
      regex: nodeRegexEngine,
      budget,
      now,
      ...(onError ? { onError } : {}),
    }) as Record<string, unknown>;
  try {
    const shown = render(masked, (failure) => words.set(placeOf(failure), failure.error.message));
    // people read what is in the catalog, so that no secret is written there
    const isCatalog = definition.invocationMethod.type === 'UPSERT_ENTITY';
    return { method: render(isCatalog ? masked : secrets, note), shown, failures };
  } catch (error) {
    if (error instanceof JqError) throw new Unrenderable(error.message);
    throw error;
  }
}

/** A template that cannot be rendered, whatever the run: trying again changes nothing. */
export class Unrenderable extends Error {}
