import { z } from 'zod';

const name = z.string().min(1).max(60);
const text = z.string().max(100_000);
const onFailure = z.enum(['terminate', 'continue']).nullish();
/** A document whose texts may hold `{{ jq }}`. */
const inputs = z.union([z.record(z.string(), z.unknown()), text]).nullish();

/**
 * A workflow inside a step: it begins at its one `ITEM_TRIGGER`. Its nodes and connections are checked by the rules of
 * workflows, each at its place.
 */
const body = z.looseObject({
  nodes: z.array(z.unknown()),
  connections: z.array(z.unknown()).nullish(),
});

/** Where the run of a body begins. */
export const itemTrigger = z.looseObject({ type: z.literal('ITEM_TRIGGER') });

/** Begins a run of another workflow by one of its forms, and waits for its end. */
export const runWorkflow = z.looseObject({
  type: z.literal('RUN_WORKFLOW'),
  workflowIdentifier: text.min(1),
  nodeIdentifier: name.nullish(),
  inputs,
  /** The current one if left out. */
  version: z.number().int().min(1).nullish(),
  onFailure,
});

/** Begins a run for each item, of a body or of another workflow. */
export const mapItems = z.looseObject({
  type: z.literal('MAP'),
  /** A template that gives a list, or a list. */
  items: z.union([text.min(1), z.array(z.unknown())]).nullish(),
  /** Entities as items. */
  query: z
    .looseObject({
      blueprintIdentifier: text.min(1),
      combinator: z.enum(['and', 'or']).nullish(),
      rules: z.array(z.unknown()).max(1000).nullish(),
    })
    .nullish(),
  body: body.nullish(),
  workflowIdentifier: text.min(1).nullish(),
  nodeIdentifier: name.nullish(),
  inputs,
  concurrency: z.number().int().min(1).max(20).nullish(),
  onItemFailure: z.enum(['continue', 'stop']).nullish(),
  maxItems: z.number().int().min(1).max(1000).nullish(),
  onFailure,
});

/** Begins a run of each branch at once. */
export const parallelBranches = z.looseObject({
  type: z.literal('PARALLEL'),
  branches: z.record(name, body),
  onFailure,
});

/** Begins a run of its body again and again, until what it gave is what was waited for. */
export const repeatBody = z.looseObject({
  type: z.literal('REPEAT'),
  body,
  /** jq over the output of a round. */
  until: z.string().min(1).max(10_000),
  maxRounds: z.number().int().min(1).max(100).nullish(),
  delaySeconds: z
    .number()
    .min(0)
    .max(30 * 86_400)
    .nullish(),
  onFailure,
});
