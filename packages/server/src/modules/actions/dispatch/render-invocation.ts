import { JqError, type JqValue, renderTemplate, type TemplateFailure } from '@portolan/jq';
import { nodeRegexEngine } from '@portolan/jq/node';
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

const mask = '******';
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
  const failures: string[] = [];
  const note = ({ expression, path, error }: TemplateFailure): void => {
    failures.push(`{{ ${expression.trim()} }} at ${path.join('.')} failed: ${error.message}`);
  };
  const render = (values: Readonly<Record<string, string>>, onError?: (failure: TemplateFailure) => void) =>
    renderTemplate(definition.invocationMethod as JqValue, { ...context, secrets: values } as unknown as JqValue, {
      regex: nodeRegexEngine,
      budget,
      now,
      ...(onError ? { onError } : {}),
    }) as Record<string, unknown>;
  try {
    return { method: render(secrets, note), shown: render(masked), failures };
  } catch (error) {
    if (error instanceof JqError) throw new Unrenderable(error.message);
    throw error;
  }
}

/** A template that cannot be rendered, whatever the run: trying again changes nothing. */
export class Unrenderable extends Error {}
