import { parseJson } from '../../../platform/parse-json.ts';
import type { StatusLabel } from '../runs/workflow-run.ts';
import { renderShown } from './render-node.ts';
import type { RunContext } from './run-context.ts';

const lengthMax = 300;

/**
 * The label that a node or outlet declares: a template if it has braces, the text of a JSON string, or itself.
 * @throws NodeFailure
 */
export function readStatusLabel(declared: unknown, context: RunContext, now: Date): StatusLabel | undefined {
  const { text, variant } = (declared ?? {}) as { readonly text?: unknown; readonly variant?: unknown };
  if (typeof text !== 'string') return undefined;
  const shown = text.includes('{{') ? renderShown(text, context, now) : (parsedText(text) ?? text);
  if (shown === null) return undefined;
  return {
    text: (typeof shown === 'string' ? shown : JSON.stringify(shown)).slice(0, lengthMax),
    ...(variant === 'success' || variant === 'alert' ? { variant } : {}),
  };
}

function parsedText(text: string): string | undefined {
  const parsed = parseJson(text);
  return typeof parsed === 'string' ? parsed : undefined;
}

interface Labelled {
  readonly statusLabel?: unknown;
  readonly workflowStatusLabel?: unknown;
}

/** Both labels of an outlet or node, as an outcome has them. @throws NodeFailure */
export function readLabels(
  declared: Labelled | Readonly<Record<string, unknown>>,
  context: RunContext,
  now: Date,
): { readonly statusLabel?: StatusLabel; readonly workflowStatusLabel?: StatusLabel } {
  const { statusLabel, workflowStatusLabel } = declared as Labelled;
  const [label, ofRun] = [
    readStatusLabel(statusLabel, context, now),
    readStatusLabel(workflowStatusLabel, context, now),
  ];
  return { ...(label ? { statusLabel: label } : {}), ...(ofRun ? { workflowStatusLabel: ofRun } : {}) };
}
