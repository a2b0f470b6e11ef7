import { JqError, type JqValue, type TemplateFailure } from '@portolan/jq';
import { type Actor, openedFor } from '../../../platform/actor.ts';
import { type EvaluationTime, shareTime } from '../../../platform/evaluation-time.ts';
import { firstOutput, renderDocument } from '../../../platform/expressions.ts';
import { mask } from '../../../platform/secrets/secret-scope.ts';
import { asksForSecrets, secretsWithheld, usableSecrets } from '../../actions/index.ts';
import { NodeFailure } from './node-failure.ts';
import type { NodesDeps } from './nodes.deps.ts';
import type { RunContext } from './run-context.ts';

/** For all templates of one document. */
const documentMs = 500;

/** Reads any name, and shows a mask for it. */
const maskedSecrets = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, mask]));

/**
 * Fills in templates of what is readable by others: secrets are masks in it.
 * @throws NodeFailure for the first template that fails
 */
export function renderShown(document: unknown, context: RunContext, now: Date, more: object = {}): unknown {
  const input = { ...context, secrets: {}, ...more } as unknown as JqValue;
  return rendered(document, input, now, (failure) => {
    throw new NodeFailure(`${placeOf(failure)} failed: ${failure.error.message}`);
  });
}

/** A document with secrets, and as it may be shown. */
export interface Rendered<Document> {
  readonly sent: Document;
  readonly shown: Document;
  /** Names of the secrets that it may hold. */
  readonly names: readonly string[];
}

/**
 * Fills in templates of what is sent to a receiver. A value computed from a secret cannot be recognized, so the shown
 * form is rendered from masks, and an expression that fails only with the value does not quote it.
 * @throws NodeFailure for the first template that fails
 */
export async function renderSent<Document extends object>(
  deps: Pick<NodesDeps, 'secrets'>,
  actor: Actor,
  document: Document,
  context: RunContext,
  now: Date,
): Promise<Rendered<Document>> {
  if (!asksForSecrets(document)) {
    const shown = renderShown(document, context, now) as Document;
    return { sent: shown, shown, names: [] };
  }
  const secrets = await usableSecrets(deps, actor);
  if (!secrets) throw new NodeFailure(`It cannot be rendered: ${secretsWithheld}`);
  const words = new Map<string, string>();
  const names = Object.keys(secrets);
  const withSecrets = (values: Readonly<Record<string, string>>) =>
    ({ ...context, secrets: values }) as unknown as JqValue;
  const shown = rendered(document, withSecrets(maskedSecrets(names)), now, (failure) =>
    words.set(placeOf(failure), failure.error.message),
  );
  const sent = rendered(document, withSecrets(secrets), now, (failure) => {
    const place = placeOf(failure);
    throw new NodeFailure(`${place} failed: ${words.get(place) ?? 'it does not work with the value of a secret'}`);
  });
  return { sent: sent as Document, shown: openedFor(actor).mask(shown) as Document, names };
}

function rendered(document: unknown, input: JqValue, now: Date, onError: (failure: TemplateFailure) => void): unknown {
  try {
    return renderDocument('workflow', document as JqValue, input, shareTime(now, documentMs), onError) ?? null;
  } catch (error) {
    if (error instanceof JqError) throw new NodeFailure(`A template cannot be rendered: ${error.message}`);
    throw error;
  }
}

/** The first output of an expression over the context, undefined where there is none. @throws NodeFailure */
export function evaluateShown(place: string, expression: string, context: RunContext, time: EvaluationTime): unknown {
  try {
    return firstOutput('workflow', expression, { ...context, secrets: {} } as unknown as JqValue, time);
  } catch (error) {
    if (error instanceof JqError) throw new NodeFailure(`${place} failed: ${error.message}`);
    throw error;
  }
}

function placeOf({ expression, path }: TemplateFailure): string {
  const where = path.length === 0 ? '' : ` at ${path.join('.')}`;
  return `{{ ${expression.trim()} }}${where}`;
}
