import { isRecord, toRecord } from '@portolan/contract/json-value';
import { JqError, listTemplateBlocks } from '@portolan/jq';
import { listFormJq } from '../../../actions/index.ts';
import { withoutBodies } from '../bodies.ts';
import { isTrigger } from '../graph.ts';
import type { WorkflowNode } from '../workflow.ts';
import type { Placed } from './fault.ts';
import { readForm } from './node-rules.ts';

/** What an expression reads: the context of a run, or the values of a form, or an event. */
type Reads = 'run' | 'form' | 'event';

/** An expression of a node. */
export interface PlacedExpression {
  /** Of the text that it stands in. */
  readonly at: string;
  readonly source: string;
  readonly reads: Reads;
  /** Whether its value is sent to a receiver and shown to nobody, so that secrets may be in it. */
  readonly maySend: boolean;
}

/** A text whose braces are not balanced. */
export interface UnreadableText {
  readonly at: string;
  readonly message: string;
}

export interface Expressions {
  readonly expressions: readonly PlacedExpression[];
  readonly unreadable: readonly UnreadableText[];
}

/** The parts of a configuration that are sent to somebody else and shown masked. */
const sent: Readonly<Record<string, readonly RegExp[]>> = {
  WEBHOOK: [/^\/(url|headers|body)(\/|$)/],
  KAFKA: [/^\/payload(\/|$)/],
  INTEGRATION_ACTION: [/^\/integrationActionExecutionProperties(\/|$)/],
  INPUT: [/^\/notifications\/\d+\/(url|headers|body)(\/|$)/],
  CURSOR_AGENT: [/^\/apiKey$/],
  NOTIFY: [/^\/to$/],
};

/** Texts that are expressions as a whole. */
const bare: Readonly<Record<string, RegExp>> = {
  CONDITION: /^\/outlets\/\d+\/expression$/,
  TRANSFORM: /^\/expression$/,
  REPEAT: /^\/until$/,
};

/** Every expression of a node: in `{{ }}`, in its form, and those that are a text as a whole. */
export function listExpressions({ at, part: node }: Placed<WorkflowNode>): Expressions {
  // bodies are graphs of their own, with expressions of their own
  const config = withoutBodies(node.config);
  const place = `${at}/config`;
  const form = readForm(
    config.type === 'INPUT' ? { properties: {}, ...toRecord(config['userInputs']) } : config['userInputs'],
  );
  const ofForm = form
    ? [...listFormJq(form, `${place}/userInputs`), ...listConstraints(form, `${place}/userInputs`)]
    : [];
  const formal = ofForm.flatMap((each): PlacedExpression[] =>
    'expression' in each ? [{ at: each.path, source: each.expression, reads: 'form', maySend: false }] : [],
  );
  if (isTrigger(node)) {
    const ofEvent = [...listConditions(config, place), ...listMapping(config, place)];
    return { expressions: [...formal, ...ofEvent], unreadable: [] };
  }
  const found: Expressions[] = [
    listTexts(config, place).map((text) => {
      const within = text.at.slice(place.length);
      if (bare[config.type]?.test(within)) return whole(text);
      if (isAwaited(config, within)) return { expressions: [], unreadable: [] };
      // people read the recipients of a mail or a notice
      const isShown = config['target'] === 'email' || config['target'] === 'portal';
      const isSent = !isShown && sent[config.type]?.some((part) => part.test(within));
      return inTemplate(text, isSent ?? false);
    }),
    listTexts(node.variables, `${at}/variables`).map((text) => inTemplate(text, false)),
    listTexts(node.links, `${at}/links`).map((text) => inTemplate(text, false)),
  ].flat();
  return {
    expressions: [...formal, ...listAwaited(config, place), ...found.flatMap(({ expressions }) => expressions)],
    unreadable: found.flatMap(({ unreadable }) => unreadable),
  };
}

interface Text {
  readonly at: string;
  readonly text: string;
}

function whole({ at, text }: Text): Expressions {
  return { expressions: [{ at, source: text, reads: 'run', maySend: false }], unreadable: [] };
}

function inTemplate({ at, text }: Text, maySend: boolean): Expressions {
  try {
    const expressions = listTemplateBlocks(text).map(
      ({ expression }): PlacedExpression => ({ at, source: expression, reads: 'run', maySend }),
    );
    return { expressions, unreadable: [] };
  } catch (error) {
    if (error instanceof JqError) return { expressions: [], unreadable: [{ at, message: error.message }] };
    throw error;
  }
}

/** All texts of a document that may hold `{{ }}`, keys included, each with its pointer. */
function listTexts(document: unknown, at: string): Text[] {
  if (typeof document === 'string') return mayHoldTemplate(document) || isBare(at) ? [{ at, text: document }] : [];
  if (Array.isArray(document)) return document.flatMap((each, index) => listTexts(each, `${at}/${index}`));
  if (!isRecord(document)) return [];
  return Object.entries(document).flatMap(([key, value]) => {
    const place = `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return [...(mayHoldTemplate(key) ? [{ at: place, text: key }] : []), ...listTexts(value, place)];
  });
}

function mayHoldTemplate(text: string): boolean {
  return text.includes('{{') || text.includes('}}');
}

function isBare(at: string): boolean {
  return at.endsWith('/expression') || at.endsWith('/config/until');
}

function listConstraints(form: NonNullable<ReturnType<typeof readForm>>, place: string) {
  const inList = (list: unknown, at: string) =>
    (Array.isArray(list) ? list : []).flatMap((each, index) => {
      const { constraint } = toRecord(each);
      return typeof constraint === 'string' ? [{ path: `${at}/${index}/constraint`, expression: constraint }] : [];
    });
  return [
    ...inList(form.validations, `${place}/validations`),
    ...(form.steps ?? []).flatMap((step, index) =>
      inList(toRecord(step)['validations'], `${place}/steps/${index}/validations`),
    ),
  ];
}

function listConditions(config: WorkflowNode['config'], place: string): PlacedExpression[] {
  const { expressions } = toRecord(config['condition']);
  return (Array.isArray(expressions) ? expressions : []).flatMap((source, index): PlacedExpression[] =>
    typeof source === 'string'
      ? [{ at: `${place}/condition/expressions/${index}`, source, reads: 'event', maySend: false }]
      : [],
  );
}

/** What a webhook trigger makes of the call. */
function listMapping(config: WorkflowNode['config'], place: string): PlacedExpression[] {
  return Object.entries(config.type === 'WEBHOOK_TRIGGER' ? toRecord(config['mapping']) : {}).flatMap(
    ([key, source]): PlacedExpression[] =>
      typeof source === 'string'
        ? [
            {
              at: `${place}/mapping/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
              source,
              reads: 'event',
              maySend: false,
            },
          ]
        : [],
  );
}

/** Conditions of an awaited event: they read it, and `$outputs` beside it. */
function listAwaited(config: WorkflowNode['config'], place: string): PlacedExpression[] {
  if (config.type !== 'WAIT_FOR_EVENT') return [];
  return listConditions(config, place).map((each) => ({ ...each, source: withOutputs(each.source) }));
}

function isAwaited({ type }: WorkflowNode['config'], within: string): boolean {
  return type === 'WAIT_FOR_EVENT' && within.startsWith('/condition/');
}

/** An expression over `.event`, with `.outputs` as `$outputs`. A comment at its end must not swallow the bracket. */
export function withOutputs(expression: string): string {
  return `.outputs as $outputs | .event | (${expression}\n)`;
}
